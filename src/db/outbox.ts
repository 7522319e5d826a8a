import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool, QueryResult } from 'pg';
import { notifierOf } from './database.ts';
import type { PreparedQuery } from './queries/builder.ts';
import {
  addRows,
  CONFIRM_DELIVERED_ROWS,
  DELETE_DELIVERED_ROWS,
  LEASE_DUE_ROWS,
  type LeasedRow,
  type NewOutboxRow,
  OUTBOX_BACKLOG,
  STORE_FAILURE,
} from './queries/outbox.ts';

export type { NewOutboxRow } from './queries/outbox.ts';

/** The lease is longer than any deadline of a call to Temporal, so that no other relay takes a slow relay's row. */
export const OUTBOX_LEASE_SECONDS = 30;

/**
 * Adds requests to Temporal in the transaction of `em`, in one statement: they are delivered if and only if it commits.
 * Each key occurs at most once in `rows`.
 */
export async function addOutboxRows(em: EntityManager, rows: readonly NewOutboxRow[]): Promise<void> {
  if (rows.length === 0) return;
  await addRows(em, rows);
  notifierOf(em).notifyAfterCommit(em);
}

export const addOutbox = (em: EntityManager, row: NewOutboxRow): Promise<void> => addOutboxRows(em, [row]);

// The outbox has no row security, so that its statements need no scope and no transaction of their own.
const run = <Params extends object, Row extends object>(
  pool: Pool,
  { name, text, valuesOf }: PreparedQuery<Params, Row>,
  params: Params,
): Promise<QueryResult<object>> => pool.query<object>({ name, text, values: valuesOf(params) });

/** Leases rows that are due and returns them, the oldest first. A relay that dies loses them when the lease ends. */
export async function claimOutbox(pool: Pool, limit: number): Promise<LeasedRow[]> {
  const { rows } = await run(pool, LEASE_DUE_ROWS, { limit, leaseSeconds: OUTBOX_LEASE_SECONDS });
  return LEASE_DUE_ROWS.rowsOf(rows).sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

/** Returns how many rows are delivered for good. A row that was requested again meanwhile is sent once more. */
export async function markOutboxDelivered(
  pool: Pool,
  rows: ReadonlyArray<Pick<LeasedRow, 'id' | 'requests'>>,
): Promise<number> {
  const params = { ids: rows.map((row) => row.id), requests: rows.map((row) => row.requests) };
  const confirmed = CONFIRM_DELIVERED_ROWS.rowsOf((await run(pool, CONFIRM_DELIVERED_ROWS, params)).rows);
  return confirmed.filter((row) => row.final).length;
}

/** Returns a row after a failed attempt; it is due again at `retryAt`. `error` contains no personal data. */
export async function failOutbox(pool: Pool, id: string, error: string, retryAt: Date): Promise<void> {
  await run(pool, STORE_FAILURE, { id, error, retryAt });
}

/** Deletes at most `limit` rows that were delivered before that moment, and returns their number. */
export async function purgeOutbox(pool: Pool, deliveredBefore: Date, limit = 5_000): Promise<number> {
  return (await run(pool, DELETE_DELIVERED_ROWS, { deliveredBefore, limit })).rowCount ?? 0;
}

/** Returns how many rows wait and for how long the oldest has waited. */
export async function outboxBacklog(pool: Pool): Promise<{ depth: number; oldestSeconds: number }> {
  const [backlog] = OUTBOX_BACKLOG.rowsOf((await run(pool, OUTBOX_BACKLOG, {})).rows);
  return backlog ?? { depth: 0, oldestSeconds: 0 };
}
