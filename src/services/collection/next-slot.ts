import type { EntityManager } from '@mikro-orm/postgresql';
import { type ContactQuestion, decideContact } from '../../domain/contact-policy.ts';
import type { DebtClock } from './clock.ts';
import { type LedgerKey, releaseHolds, replaceHolds } from './contact-ledger.ts';
import type { CollectionDeps } from './deps.ts';

/** A slot that its debt did not come for is free again after this, the wait itself aside. */
const GRACE_MS = 10 * 60_000;

export interface NextTurn {
  /** When the gate is asked; null when there is no moment to wait for. */
  readonly at: number | null;
  /** The slot to hold until then; null also where the gate is going to refuse again. */
  readonly slot: number | null;
}

/** The earliest moment from `from` on at which the debt's turn may come, as things stand. */
export function nextTurn(question: ContactQuestion, from: number): NextTurn {
  const decision = decideContact({ ...question, now: from });
  if (decision.allowed) return { at: from, slot: from };
  return { at: decision.notBefore, slot: decision.inVain ? null : decision.notBefore };
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
