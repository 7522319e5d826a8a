import type { EntityManager } from '@mikro-orm/postgresql';
import { type ContactQuestion, decideContact } from '../../domain/contact-policy.ts';
import type { DebtClock } from './clock.ts';
import { type LedgerKey, releaseHolds, replaceHolds } from './contact-ledger.ts';
import type { CollectionDeps } from './deps.ts';

/** A slot that its debt did not come for is free again after this, the wait itself aside. */
const GRACE_MS = 10 * 60_000;

/** The earliest moment from `from` on that is allowed as things stand; null when there is none to wait for. */
export function firstAllowed(question: ContactQuestion, from: number): number | null {
  const decision = decideContact({ ...question, now: from });
  return decision.allowed ? from : decision.notBefore;
}

/** Until when a slot is kept, in real time: a simulated wait ends long before its moment. */
export function heldUntil(
  deps: Pick<CollectionDeps, 'now' | 'sandboxMaxWaitMs'>,
  wait: { readonly exact: boolean; readonly now: number; readonly at: number },
): Date {
  const waitMs = wait.exact ? Math.min(wait.at - wait.now, deps.sandboxMaxWaitMs) : wait.at - wait.now;
  return new Date(deps.now().getTime() + Math.max(0, waitMs) + GRACE_MS);
}

export interface Slot {
  readonly key: LedgerKey;
  readonly clock: DebtClock;
  readonly now: number;
  /** Null: none is waited for, and what was held is free. */
  readonly at: number | null;
}

export async function holdSlot(em: EntityManager, deps: CollectionDeps, { key, clock, now, at }: Slot): Promise<void> {
  if (at === null) await releaseHolds(em, [key.debtId]);
  else await replaceHolds(em, [{ key, at, until: heldUntil(deps, { exact: clock.exact, now, at }) }]);
}
