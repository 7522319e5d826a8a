import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../../db/database.ts';
import { runInTransaction } from '../../db/statement.ts';
import { RECEIPT_DUTY_YEARS } from '../../domain/receipt-retention.ts';

/** Small enough that no other transaction waits long for a row that this one changes. */
const RECEIPTS_PER_STATEMENT = 500;

/**
 * The moment until which the receipt `r` of charge `ch` and debt `d` is kept whole. A sandbox receipt is not kept,
 * because it proves nothing.
 */
export const DUTY_ENDS = `
  (case when d.sandbox then r.issued_at
    else greatest(coalesce(ch.paid_at, ch.approved_at), r.issued_at) + make_interval(years => ${RECEIPT_DUTY_YEARS})
  end)`;

// The condition uses the key and not `erased_at`, because the index on the key holds only erased debts, which are few.
const DUE = `
  from debts d join receipts r on r.debt_id = d.id join charges ch on ch.id = r.charge_id
  where d.erased_person_key is not null and r.shortened_at is null and r.pdf is not null and ${DUTY_ENDS} <= $1`;

const CLIENTS = { name: 'clients_with_receipts_to_shorten', text: `select distinct r.client_id as "clientId" ${DUE}` };

// The hash stays, so that a holder of the document can still prove that it is the issued one. A process that is drawing
// the receipt loses its lease, so its document is not stored.
const SHORTEN = `
  with due as (
    select r.id, r.sha256, r.template_version ${DUE} and d.client_id = $2
    order by r.id limit ${RECEIPTS_PER_STATEMENT} for no key update of r skip locked
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
 * Removes the debtor's data from the receipts of erased debts when the duty to keep them whole has ended. Protocol,
 * amount, dates, creditor and revocation stay, so that the protocol can still be verified. Returns the number of
 * shortened receipts.
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
      } while (done === RECEIPTS_PER_STATEMENT);
    }
    return count;
  };
