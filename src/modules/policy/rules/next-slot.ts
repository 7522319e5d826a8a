import { type CollectionSequence, nextMove } from './collection-sequence.ts';
import { NO_CONTACTS } from './contact-ledger.ts';
import { spreadFrom } from './contact-pace.ts';
import { type ContactDecision, decideContact } from './contact-policy.ts';
import type { ContactQuestion, VerdictRule } from './contact-question.ts';

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

export interface MadeContact {
  readonly debtId: string;
  /** The question about the debt before the contact, with a ledger in which the contact is booked already. */
  readonly question: ContactQuestion;
  readonly sequence: CollectionSequence;
  /** The steps that were done before the contact. */
  readonly step: number;
  readonly at: number;
}

/** Returns when a debt is asked about again after a contact, and the slot that is reserved for it. */
export function slotAfterContact({ debtId, question, sequence, step, at }: MadeContact): NextSlot & { at: number } {
  const next = nextMove(sequence, { contactsMade: step + 1, anchorAt: at, promiseLapsed: false });
  if (next.kind === 'exhausted') return { at: next.notBefore, slot: null };
  const later = { ...question, debt: { ...question.debt, status: 'IN_COLLECTION', promisedDate: null } } as const;
  const following = laterSlot(later, next.notBefore, debtId);
  return { at: following.at ?? next.notBefore, slot: following.slot };
}

/** Returns whether a debt ends immediately with the contact after `step` others, because no wait follows it. */
export function endsWithContact({ sequence, step, at }: Pick<MadeContact, 'sequence' | 'step' | 'at'>): boolean {
  const next = nextMove(sequence, { contactsMade: step + 1, anchorAt: at, promiseLapsed: false });
  return next.kind === 'exhausted' && next.notBefore <= at;
}

/** Rules that no later decision lifts for this debt and phone, so the debt ends. */
export const FINAL_RULES: readonly VerdictRule[] = ['prescription', 'opt_out', 'wrong_person'];

/** Returns when a refused debt is asked about again, or null when only news lead to another decision. */
export const momentAfterRefusal = (
  question: ContactQuestion,
  { notBefore }: Extract<ContactDecision, { readonly allowed: false }>,
  debtId: string,
): number | null => (notBefore === null ? null : spreadFrom(question, notBefore, debtId));

/**
 * Returns whether a message for another debt of the person may speak of this one too, by its own status, dates and place.
 * Caps and suppressions are not asked, because the gate decides about them once for the message.
 */
export const mayBeMentioned = (question: ContactQuestion): boolean =>
  decideContact({
    ...question,
    ledger: NO_CONTACTS,
    suppressions: { optedOut: false, wrongPerson: false, elsewhere: false },
    inboxWaiting: false,
  }).allowed;

/**
 * Returns the moment of a contact that concerns all these debts. No timeline goes back, so the moment is not earlier
 * than the latest event of any of them. Only clocks of sandbox debts differ.
 */
export const momentOfAll = (now: number, debts: readonly { readonly lastEventAt: Date | null }[]): number =>
  Math.max(now, ...debts.map(({ lastEventAt }) => lastEventAt?.getTime() ?? now));
