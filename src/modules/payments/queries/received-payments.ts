import { type Insertable, sql } from 'kysely';
import { type ReceivedSource, UNDECIDED_STATES } from '../../../kernel/received-states.ts';
import { NOW, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

const COLUMNS = [
  ...(['id', 'source', 'key', 'amountCentavos', 'paidAt', 'endToEndId', 'invoiceId', 'taxId', 'method'] as const),
  ...(['state', 'debtId', 'chargeId', 'createdAt'] as const),
] as const;

const selectReceived = (tx: Tx) => queriesIn(tx).selectFrom('received_payments').select(COLUMNS);

export type StoredReceived = Awaited<ReturnType<ReturnType<typeof selectReceived>['executeTakeFirstOrThrow']>>;

export const readReceived = (tx: Tx, id: string): Promise<StoredReceived | undefined> =>
  selectReceived(tx).where('id', '=', id).executeTakeFirst();

/** Locks the row. The debts are locked before it. */
export const lockReceived = (tx: Tx, id: string): Promise<StoredReceived | undefined> =>
  selectReceived(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

export type NewReceived = Pick<
  Insertable<Tables['received_payments']>,
  'id' | 'clientId' | 'source' | 'key' | 'amountCentavos' | 'paidAt' | 'method' | 'state'
> & {
  readonly id: string;
  readonly endToEndId: string | null;
  readonly invoiceId: string | null;
  readonly taxId: string | null;
};

/** Stores received payments, and returns the ids of those that were not known by their keys. */
export async function insertReceived(tx: Tx, rows: readonly NewReceived[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const stored = await queriesIn(tx)
    .insertInto('received_payments')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['clientId', 'key']).doNothing())
    .returning('id')
    .execute();
  return new Set(stored.map(({ id }) => id));
}

/** The payment is recorded: nothing is needed any more to find out whose it is. */
export const setSettled = (
  tx: Tx,
  id: string,
  { debtId, chargeId }: { readonly debtId: string; readonly chargeId: string },
) =>
  queriesIn(tx)
    .updateTable('received_payments')
    .set({ state: 'settled', debtId, chargeId, taxId: null, updatedAt: NOW })
    .where('id', '=', id)
    .execute();

/** The payment is for no debt of the client. */
export const setDismissed = (tx: Tx, id: string) =>
  queriesIn(tx)
    .updateTable('received_payments')
    .set({ state: 'dismissed', taxId: null, invoiceId: null, updatedAt: NOW })
    .where('id', '=', id)
    .execute();

interface UndecidedPage {
  readonly source: ReceivedSource;
  readonly clientId: string;
  readonly after: { readonly at: string; readonly id: string } | undefined;
  readonly limit: number;
}

/** Returns the payments of which a person decides which debt they pay, the newest first. */
export const undecidedReceived = (
  tx: Tx,
  { clientId, source, after, limit }: UndecidedPage,
): Promise<StoredReceived[]> =>
  selectReceived(tx)
    .where('clientId', '=', clientId)
    .where('source', '=', source)
    .where('state', 'in', UNDECIDED_STATES)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after!.at}::timestamptz, ${after!.id}::uuid)`),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
