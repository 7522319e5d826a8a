import type { EntityManager } from '@mikro-orm/postgresql';
import { afterCommitOf } from './database.ts';
import { addRows, type NewOutboxRow } from './queries/outbox.ts';

export type { NewOutboxRow } from './queries/outbox.ts';

/**
 * Adds requests to Temporal in the transaction of `em`, in one statement: they are delivered if and only if it commits.
 * Each key occurs at most once in `rows`.
 */
export async function addOutboxRows(em: EntityManager, rows: readonly NewOutboxRow[]): Promise<void> {
  if (rows.length === 0) return;
  await addRows(em, rows);
  const { afterCommit, notifyOutbox } = afterCommitOf(em);
  afterCommit.add(em, notifyOutbox);
}

export const addOutbox = (em: EntityManager, row: NewOutboxRow): Promise<void> => addOutboxRows(em, [row]);
