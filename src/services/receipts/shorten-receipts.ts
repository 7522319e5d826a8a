import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../../db/database.ts';
import { runInTransaction } from '../../db/statement.ts';
import { RECEIPT_DUTY_YEARS } from '../../domain/receipt-retention.ts';

/** Small enough that nobody waits long for a row that is being rewritten. */
const AT_ONCE = 500;

/** Of a receipt `r`, its charge `ch` and its debt `d`: until then it is kept whole. A test proves nothing to anybody. */
export const DUTY_ENDS = `
  (case when d.sandbox then r.issued_at
    else greatest(coalesce(ch.paid_at, ch.approved_at), r.issued_at) + make_interval(years => ${RECEIPT_DUTY_YEARS})
  end)`;

// By the key and not by `erased_at`: erased debts are few, and the key's index holds no others.
const DUE = `
  from debts d join receipts r on r.debt_id = d.id join charges ch on ch.id = r.charge_id
  where d.erased_person_key is not null and r.shortened_at is null and r.pdf is not null and ${DUTY_ENDS} <= $1`;

const CLIENTS = { name: 'clients_with_receipts_to_shorten', text: `select distinct r.client_id as "clientId" ${DUE}` };

// The hash stays, so that whoever has the document can still show that it is the one that was issued. Whoever draws
// the receipt at this moment loses the lease, and with it the drawing.
const SHORTEN = `
  with due as (
    select r.id, r.sha256, r.template_version ${DUE} and d.client_id = $2
    order by r.id limit ${AT_ONCE} for no key update of r skip locked
  ), shortened as (
    update receipts set shortened_at = $1, pdf = null, sha256 = null, template_version = null, rendered_at = null,
      outdated = false, rendering_by = null, rendering_until = null,
      facts = (facts - 'debtor') || jsonb_build_object(
        'debt', (facts -> 'debt') - 'invoiceId',
        'payment', (facts -> 'payment') - '{endToEndId,providerPaymentId}'::text[],
        'document', jsonb_build_object('sha256', due.sha256, 'templateVersion', due.template_version))
    from due where receipts.id = due.id
    returning receipts.client_id, receipts.protocol, receipts.charge_id
  ), charged as (
    update charges set br_code = null, end_to_end_id = null from shortened where charges.id = shortened.charge_id
  ), audited as (
    insert into audit_log (client_id, actor, action, target)
    select client_id, 'system', 'receipt_shortened', protocol from shortened
  )
  select protocol from shortened`;

const shorten = (em: EntityManager, clientId: string, at: Date): Promise<object[]> =>
  runInTransaction(em, SHORTEN, [at, clientId]);

/**
 * Takes the debtor out of the receipts of erased debts that nobody has to keep whole any more: protocol, amount, dates,
 * creditor and revocation stay, so that the protocol can still be verified. Returns how many it shortened.
 */
export const shortenReceipts =
  ({ db, now }: { readonly db: Pick<Database, 'read' | 'tenant'>; readonly now: () => Date }) =>
  async (): Promise<number> => {
    const at = now();
    let count = 0;
    for (const { clientId } of await db.read<{ clientId: string }>({}, CLIENTS, [at])) {
      let done: number;
      do {
        done = (await db.tenant(clientId).transactional((em) => shorten(em, clientId, at))).length;
        count += done;
      } while (done === AT_ONCE);
    }
    return count;
  };
