import type { EntityManager } from '@mikro-orm/postgresql';
import { spreadFrom } from '../../domain/contact-pace.ts';
import { decideContact } from '../../domain/contact-policy.ts';
import type { ContactQuestion } from '../../domain/contact-question.ts';
import type { DebtClock } from '../../domain/debt-task.ts';
import { type LedgerKey, releaseReservations, replaceReservations } from '../messaging/contact-ledger.ts';
import type { CollectionDeps } from './deps.ts';

/** A slot that its debt does not use is free again this long after the moment of the slot. */
const GRACE_MS = 10 * 60_000;

export interface NextSlot {
  /** The moment at which the gate is asked, or null when there is no moment to wait for. */
  readonly at: number | null;
  /** The slot to reserve until then. It is null also when the gate will refuse again at that moment. */
  readonly slot: number | null;
}

/** Returns the earliest moment, not before `from`, at which the debt may be contacted by what is known now. */
export function nextSlot(question: ContactQuestion, from: number): NextSlot {
  const decision = decideContact({ ...question, now: from });
  if (decision.allowed) return { at: from, slot: from };
  return { at: decision.notBefore, slot: decision.inVain ? null : decision.notBefore };
}

/** Does the same for a later contact: when it has to wait for an opening, it gets the debt's own moment after it. */
export function laterSlot(question: ContactQuestion, from: number, debtId: string): NextSlot {
  const { at, slot } = nextSlot(question, from);
  if (at === null || at === from) return { at, slot };
  const later = spreadFrom(question, at, debtId);
  return { at: later, slot: slot === null ? null : later };
}

/** Returns the end of a reservation in real time. A simulated wait ends long before its simulated moment. */
export function reservedUntil(
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
  /** Null when the debt waits for no slot: an earlier reservation is then released. */
  readonly at: number | null;
}

export async function reserveSlot(
  em: EntityManager,
  deps: CollectionDeps,
  { key, clock, now, at }: Slot,
): Promise<void> {
  if (at === null) await releaseReservations(em, [key.debtId]);
  else await replaceReservations(em, [{ key, at, until: reservedUntil(deps, { exact: clock.exact, now, at }) }]);
}
