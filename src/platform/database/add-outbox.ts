import { afterCommitOf } from './database.ts';
import { addRows, type NewOutboxRow } from './queries/outbox.ts';
import type { Tx } from './tx.ts';

/**
 * Adds requests to Temporal in the transaction of `tx`, in one statement: they are delivered if and only if it commits.
 * Each key occurs at most once in `rows`.
 */
export async function addOutboxRows(tx: Tx, rows: readonly NewOutboxRow[]): Promise<void> {
  if (rows.length === 0) return;
  await addRows(tx, rows);
  const { afterCommit, notifyOutbox } = afterCommitOf(tx);
  afterCommit.add(tx, notifyOutbox);
}

export const addOutbox = (tx: Tx, row: NewOutboxRow): Promise<void> => addOutboxRows(tx, [row]);
