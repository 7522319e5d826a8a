import type { EntityManager } from '@mikro-orm/postgresql';
import { addAudit } from '../../db/audit.ts';
import type { Database } from '../../db/database.ts';
import { runInTransaction } from '../../db/statement.ts';
import type { DebtStatus } from '../../domain/debt-status.ts';
import { SETTLES } from '../receipts/settled-payments.ts';
import { DUTY_ENDS, shortenReceipts } from '../receipts/shorten-receipts.ts';
import type { PersonKeys } from '../shared/person-keys.ts';

/**
 * In these statuses nothing more is asked of the debtor. In any other, the data is needed to collect, or not to contact
 * the person.
 */
const CLOSED: readonly DebtStatus[] = ['PAID', 'EXHAUSTED', 'STOPPED'];

export interface ErasedDebt {
  readonly id: string;
  readonly clientId: string;
  readonly status: DebtStatus;
}

export interface RefusedDebt extends ErasedDebt {
  /** `open`: the status is not closed. `busy`: a message is not handled yet, or the receipt is not issued yet. */
  readonly because: 'open' | 'busy';
}

/** The receipt of an erased debt. */
export interface KeptReceipt {
  readonly protocol: string;
  readonly debtId: string;
  /** The law requires the whole document until then. */
  readonly dutyEnds: Date;
  /** True when the duty had ended and the debtor's data was removed from the receipt. */
  readonly shortened: boolean;
}

export interface Erasure {
  readonly erased: readonly ErasedDebt[];
  /** Debts that were not changed. */
  readonly refused: readonly RefusedDebt[];
  readonly receipts: readonly KeptReceipt[];
}

const FIND = {
  name: 'find_debts_of_person',
  text: `select id, client_id as "clientId", status from debts where debtor_cpf = $1 order by client_id, id`,
};

// This is a separate statement, so that the next one sees what was committed while the locks were waited for.
const LOCK_DEBTS = 'select 1 from debts where client_id = $1 and debtor_cpf = $2 order by id for no key update';

// A promise and a claim of payment are erased too. The score stays as a number without its reasons.
const ERASE_DEBTS = `
  update debts d set debtor_name = '(dados apagados)', debtor_phone = '', debtor_cpf = '', debtor_email = null,
    erased_person_key = $4, score_reasons = null, promised_for = null, said_paid_at = null,
    erased_at = current_timestamp(3), updated_at = current_timestamp(3)
  where d.client_id = $1 and d.debtor_cpf = $2 and d.status = any ($3::text[])
    and not exists (
      select 1 from messages m where m.debt_id = d.id and m.direction = 'in' and m.handled_at is null)
    and not exists (
      select 1 from charges ch left join receipts r on r.charge_id = ch.id
      where ch.debt_id = d.id and ${SETTLES} and r.pdf is null)
  returning id, client_id as "clientId", status`;

/**
 * Messages in both directions name the person, and a channel's message id may contain the phone number. Bookings that
 * no cap counts any more are deleted; later ones still protect the person. Each statement takes the ids of debts.
 */
const ERASE_TRACES = [
  `update messages set text = '', document = null, intent = null, channel_message_id = null
   where debt_id = any ($1::uuid[])`,
  `update sandbox_outbox set recipient = '', text = '', document = null where debt_id = any ($1::uuid[])`,
  `update sandbox_acts set text = null where debt_id = any ($1::uuid[])`,
  `update receipt_deliveries set state = 'refused' where debt_id = any ($1::uuid[]) and state = 'waiting'`,
  `delete from contact_ledger
   where debt_id = any ($1::uuid[]) and (kind = 'hold' or at < now() - interval '8 days')`,
];

const RECEIPTS = `
  select r.protocol, r.debt_id as "debtId", ${DUTY_ENDS} as "dutyEnds", r.shortened_at is not null as shortened
  from receipts r join charges ch on ch.id = r.charge_id join debts d on d.id = r.debt_id
  where r.debt_id = any ($1::uuid[]) and (r.pdf is not null or r.shortened_at is not null)
  order by r.issued_at, r.id`;

interface Person {
  readonly cpf: string;
  readonly key: string;
}

async function eraseOf(em: EntityManager, clientId: string, { cpf, key }: Person): Promise<ErasedDebt[]> {
  await runInTransaction(em, LOCK_DEBTS, [clientId, cpf]);
  const erased = await runInTransaction<ErasedDebt>(em, ERASE_DEBTS, [clientId, cpf, CLOSED, key]);
  if (erased.length === 0) return erased;
  const ids = erased.map(({ id }) => id);
  for (const statement of ERASE_TRACES) await runInTransaction(em, statement, [ids]);
  return erased;
}

export interface ErasureDeps {
  readonly db: Pick<Database, 'read' | 'tenant'>;
  readonly now: () => Date;
  readonly personKeys: Pick<PersonKeys, 'person'>;
}

/**
 * Fulfils a data subject's request (LGPD art. 18 VI). Operators run it over all clients, so it needs the worker's
 * database login. Amounts, dates and protocols stay because the law requires them. Suppressions stay because they
 * forbid further contact. A key made of the CPF stays so that a paid debt is recognised when it is imported again.
 * `docs/privacy.md` lists all.
 */
export const eraseDebtor =
  (deps: ErasureDeps) =>
  async (cpf: string): Promise<Erasure> => {
    const { db, personKeys } = deps;
    const person = { cpf, key: personKeys.person(cpf) };
    const found = await db.read<ErasedDebt>({}, FIND, [cpf]);
    const erased: ErasedDebt[] = [];
    for (const clientId of new Set(found.map((debt) => debt.clientId))) {
      const ofClient = await db.tenant(clientId).transactional(async (em) => {
        const done = await eraseOf(em, clientId, person);
        const details = {
          erased: done.length,
          refused: found.filter((debt) => debt.clientId === clientId).length - done.length,
        };
        await addAudit(em, { clientId, actor: 'operator', action: 'privacy_erased', details });
        return done;
      });
      erased.push(...ofClient);
    }
    await shortenReceipts(deps)();
    const erasedIds = new Set(erased.map(({ id }) => id));
    const left = found.filter(({ id }) => !erasedIds.has(id));
    return {
      erased,
      refused: left.map((debt) => ({ ...debt, because: CLOSED.includes(debt.status) ? 'busy' : 'open' })),
      receipts: await receiptsOf(deps, erased),
    };
  };

async function receiptsOf({ db }: ErasureDeps, erased: readonly ErasedDebt[]): Promise<KeptReceipt[]> {
  const receipts: KeptReceipt[] = [];
  for (const [clientId, debts] of Map.groupBy(erased, (debt) => debt.clientId)) {
    const ids = debts.map(({ id }) => id);
    receipts.push(
      ...(await db.tenant(clientId).transactional((em) => runInTransaction<KeptReceipt>(em, RECEIPTS, [ids]))),
    );
  }
  return receipts;
}
