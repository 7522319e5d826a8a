import type { EntityManager } from '@mikro-orm/postgresql';
import type { Count } from '../../kernel/ports/counts.ts';
import { afterCommitOf } from './database.ts';

/** Counts for operators what the transaction of `em` changes, once it has committed. */
export function addCounts(em: EntityManager, counts: readonly Count[]): void {
  if (counts.length === 0) return;
  const { afterCommit, addCount } = afterCommitOf(em);
  if (addCount !== undefined) afterCommit.add(em, () => counts.forEach(addCount));
}
