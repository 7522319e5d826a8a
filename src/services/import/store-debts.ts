import type { EntityManager } from '@mikro-orm/postgresql';
import { addRequestAudit, type RequestSource } from '../../db/audit.ts';
import type { Database } from '../../db/database.ts';
import { runInTransaction } from '../../db/statement.ts';
import { REIMPORTABLE_DEBT_STATUSES } from '../../domain/debt-status.ts';
import { AppError } from '../../domain/errors.ts';
import { plainArray, textArray } from './array-literal.ts';
import type { CheckedDebt } from './check-debt.ts';

/** One statement stays short enough for the event loop, and long enough to cost little. */
const SLICE = 2_500;

const INPUT = `
  select * from unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::date[], $9::text[])
    as input (index, name, phone, cpf, email, amount, due, invoice)`;

const TAKEN = `status <> all (array[${REIMPORTABLE_DEBT_STATUSES.map((status) => `'${status}'`).join(', ')}])`;

/**
 * Either half is one look-up, of `debts_client_invoice` or `debts_person`. Not `exists`: PostgreSQL would make a
 * hash table of all debts of the client, again for each slice.
 */
const KNOWN = `
  case when invoice is null then (
    select true from debts where client_id = $1 and debtor_cpf = cpf and original_amount_centavos = amount
      and due_date = due and invoice_id is null and ${TAKEN} limit 1)
  else (select true from debts where client_id = $1 and invoice_id = invoice and ${TAKEN} limit 1) end`;

const FIND_KNOWN = `select index from (${INPUT}) as input where ${KNOWN}`;

const STORE = `
  with input as (${INPUT}),
  fresh as materialized (select * from input where (${KNOWN}) is null),
  stored as (
    insert into debts (client_id, campaign_id, position, debtor_name, debtor_phone, debtor_cpf, debtor_email,
      original_amount_centavos, due_date, invoice_id, status, sandbox, created_at, updated_at)
    select $1, $10, $11 + row_number() over (order by index), name, phone, cpf, email, amount, due, invoice, 'IMPORTED',
      $12, $13, $13
    from fresh)
  select index from input where index not in (select index from fresh)`;

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

export interface Import {
  readonly clientId: string;
  readonly campaignId: string;
  readonly debts: readonly CheckedDebt[];
  readonly sandbox: boolean;
  readonly at: Date;
  /** Elements of the call, the bad ones among them. */
  readonly sent: number;
  readonly source: RequestSource;
}

/** Waits for a launch in progress, and makes one wait until the import is committed. */
async function holdDraft(em: EntityManager, clientId: string, campaignId: string): Promise<void> {
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

/** All or, when something breaks, none; the indexes of those that the client has already. */
export const storeDebts = (db: Database, request: Import): Promise<number[]> => {
  const { clientId, campaignId, debts, sandbox, at, sent, source } = request;
  return db.tenant(clientId).transactional(async (em) => {
    // Two imports of the same debts at once would not see each other's rows, and block each other in other orders.
    await runInTransaction(em, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`import:${clientId}`]);
    await holdDraft(em, clientId, campaignId);
    let position = await lastPosition(em, campaignId);
    const known: number[] = [];
    let running: Promise<void> = Promise.resolve();
    for (const slice of slicesOf(debts)) {
      // Written out while PostgreSQL is busy with the slice before.
      const columns = columnsOf(slice);
      await running;
      const params = [clientId, ...columns, campaignId, position, sandbox, at];
      running = runInTransaction<{ index: number }>(em, STORE, params).then((duplicates) => {
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

/** What `storeDebts` would answer, without a trace. */
export const findKnownDebts = (db: Database, clientId: string, debts: readonly CheckedDebt[]): Promise<number[]> =>
  db.tenant(clientId).transactional(async (em) => {
    const known: number[] = [];
    for (const slice of slicesOf(debts)) {
      const rows = await runInTransaction<{ index: number }>(em, FIND_KNOWN, [clientId, ...columnsOf(slice)]);
      known.push(...rows.map((row) => row.index));
    }
    return known;
  });
