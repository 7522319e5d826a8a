import type { EntityManager } from '@mikro-orm/postgresql';
import { addRequestAudit, type RequestSource } from '../../db/audit.ts';
import type { Database } from '../../db/database.ts';
import { runInTransaction } from '../../db/statement.ts';
import { REIMPORTABLE_DEBT_STATUSES } from '../../domain/debt-status.ts';
import { AppError } from '../../domain/errors.ts';
import type { PersonKeys } from '../shared/person-keys.ts';
import { plainArray, textArray } from './array-literal.ts';
import type { CheckedDebt } from './check-debt.ts';

/**
 * Small enough that building one statement does not block the event loop, and large enough to keep the overhead low.
 */
const SLICE = 2_500;

const TAKEN = `status <> all (array[${REIMPORTABLE_DEBT_STATUSES.map((status) => `'${status}'`).join(', ')}])`;
const SAME_SUM = `client_id = $1 and original_amount_centavos = amount and due_date = due and ${TAKEN}`;

/**
 * Each branch is one look-up in the index `debts_client_invoice` or `debts_person`. With `exists`, PostgreSQL would
 * build a hash table of all debts of the client for each slice.
 */
const KNOWN = `
  case when invoice is null then (select true from debts where debtor_cpf = cpf and ${SAME_SUM} limit 1)
  else (select true from debts where client_id = $1 and invoice_id = invoice and ${TAKEN} limit 1) end`;

/**
 * An erased debtor is found by the stored key. Few clients have such debts, and only their imports make this look-up.
 */
const KNOWN_WITH_ERASED = `
  coalesce(${KNOWN}, (
    select true from debts where erased_person_key = person_key and (invoice is null or invoice_id is null)
      and ${SAME_SUM} limit 1))`;

interface Statements {
  readonly findKnown: string;
  readonly store: string;
}

function statementsFor(known: string, keyColumn: { readonly type: string; readonly name: string }): Statements {
  const last = keyColumn.name === '' ? 9 : 10;
  const input = `
  select * from unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::date[], $9::text[]${keyColumn.type})
    as input (index, name, phone, cpf, email, amount, due, invoice${keyColumn.name})`;
  const [campaign, position, sandbox, at] = [1, 2, 3, 4].map((next) => `$${last + next}`);
  return {
    findKnown: `select index from (${input}) as input where ${known}`,
    store: `
  with input as (${input}),
  fresh as materialized (select * from input where (${known}) is null),
  stored as (
    insert into debts (client_id, campaign_id, position, debtor_name, debtor_phone, debtor_cpf, debtor_email,
      original_amount_centavos, due_date, invoice_id, status, sandbox, created_at, updated_at)
    select $1, ${campaign}, ${position} + row_number() over (order by index), name, phone, cpf, email, amount, due, invoice,
      'IMPORTED', ${sandbox}, ${at}, ${at}
    from fresh)
  select index from input where index not in (select index from fresh)`,
  };
}

const PLAIN = statementsFor(KNOWN, { type: '', name: '' });
const WITH_ERASED = statementsFor(KNOWN_WITH_ERASED, { type: ', $10::text[]', name: ', person_key' });

const HAS_ERASED = `
  select 1 from debts where client_id = $1 and erased_person_key is not null and ${TAKEN} limit 1`;

/** Chooses the statements for this client and the function that makes their column parameters from a slice. */
async function prepare(em: EntityManager, clientId: string, { person }: Pick<PersonKeys, 'person'>) {
  const erased = await runInTransaction(em, HAS_ERASED, [clientId]);
  if (erased.length === 0) return { ...PLAIN, columns: columnsOf };
  const columns = (debts: readonly CheckedDebt[]) => [
    ...columnsOf(debts),
    textArray(debts.map((debt) => person(debt.debtorCpf))),
  ];
  return { ...WITH_ERASED, columns };
}

const columnsOf = (debts: readonly CheckedDebt[]): string[] => [
  plainArray(debts.map((debt) => debt.index)),
  textArray(debts.map((debt) => debt.debtorName)),
  plainArray(debts.map((debt) => debt.debtorPhone)),
  plainArray(debts.map((debt) => debt.debtorCpf)),
  textArray(debts.map((debt) => debt.debtorEmail)),
  plainArray(debts.map((debt) => debt.originalAmountCentavos)),
  plainArray(debts.map((debt) => debt.dueDate)),
  textArray(debts.map((debt) => debt.invoiceId)),
];

function* slicesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += SLICE) yield items.slice(from, from + SLICE);
}

export interface StoreDeps {
  readonly db: Pick<Database, 'tenant'>;
  readonly personKeys: Pick<PersonKeys, 'person'>;
}

export interface Import {
  readonly clientId: string;
  readonly campaignId: string;
  readonly debts: readonly CheckedDebt[];
  readonly sandbox: boolean;
  readonly at: Date;
  /** The number of elements in the call, including the invalid ones. */
  readonly sent: number;
  readonly source: RequestSource;
}

/** Waits for a launch in progress, and makes a later launch wait until the import is committed. */
async function lockDraft(em: EntityManager, clientId: string, campaignId: string): Promise<void> {
  const [campaign] = await runInTransaction<{ status: string }>(
    em,
    'select status from campaigns where client_id = $1 and id = $2 for share',
    [clientId, campaignId],
  );
  if (campaign === undefined) throw new AppError('not_found');
  if (campaign.status !== 'DRAFT') throw new AppError('campaign_not_draft');
}

async function lastPosition(em: EntityManager, campaignId: string): Promise<number> {
  const [row] = await runInTransaction<{ last: number }>(
    em,
    'select coalesce(max(position), 0)::int as last from debts where campaign_id = $1',
    [campaignId],
  );
  return row?.last ?? 0;
}

/** Stores all debts or, after an error, none. Returns the indexes of the debts that the client has already. */
export const storeDebts = (deps: StoreDeps, request: Import): Promise<number[]> => {
  const { clientId, campaignId, debts, sandbox, at, sent, source } = request;
  return deps.db.tenant(clientId).transactional(async (em) => {
    // Without this lock, two concurrent imports of the same debts would not see each other's rows, and could deadlock.
    await runInTransaction(em, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`import:${clientId}`]);
    await lockDraft(em, clientId, campaignId);
    let position = await lastPosition(em, campaignId);
    const { store, columns: toColumns } = await prepare(em, clientId, deps.personKeys);
    const known: number[] = [];
    let running: Promise<void> = Promise.resolve();
    for (const slice of slicesOf(debts)) {
      // The parameters are built while PostgreSQL processes the previous slice.
      const columns = toColumns(slice);
      await running;
      const params = [clientId, ...columns, campaignId, position, sandbox, at];
      running = runInTransaction<{ index: number }>(em, store, params).then((duplicates) => {
        known.push(...duplicates.map((row) => row.index));
        position += slice.length - duplicates.length;
      });
    }
    await running;
    const imported = debts.length - known.length;
    const details = { imported, skipped: sent - imported };
    await addRequestAudit(em, { clientId, source, action: 'debts_imported', target: campaignId, details });
    return known;
  });
};

/** Returns what `storeDebts` would return, without storing anything. */
export const findKnownDebts = (deps: StoreDeps, clientId: string, debts: readonly CheckedDebt[]): Promise<number[]> =>
  deps.db.tenant(clientId).transactional(async (em) => {
    const { findKnown, columns } = await prepare(em, clientId, deps.personKeys);
    const known: number[] = [];
    for (const slice of slicesOf(debts)) {
      const rows = await runInTransaction<{ index: number }>(em, findKnown, [clientId, ...columns(slice)]);
      known.push(...rows.map((row) => row.index));
    }
    return known;
  });
