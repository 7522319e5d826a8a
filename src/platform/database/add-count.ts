import type { Count } from '../../kernel/ports/counts.ts';
import { afterCommitOf } from './database.ts';
import type { Tx } from './tx.ts';

/** Counts for operators what the transaction of `tx` changes, once it has committed. */
export function addCounts(tx: Tx, counts: readonly Count[]): void {
  if (counts.length === 0) return;
  const { afterCommit, addCount } = afterCommitOf(tx);
  if (addCount !== undefined) afterCommit.add(tx, () => counts.forEach(addCount));
}
