import { type CollectionSequence, nextMove } from './collection-sequence.ts';
import { NO_CONTACTS } from './contact-ledger.ts';
import { spreadFrom } from './contact-pace.ts';
import { type ContactDecision, type ContactPurpose, decideContact, purposeOf } from './contact-policy.ts';
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
  readonly purpose: ContactPurpose;
  readonly debtId: string;
  /** The question about the debt before the contact, with a ledger in which the contact is booked already. */
  readonly question: ContactQuestion;
  readonly sequence: CollectionSequence;
  /** The steps that were done before the contact. */
  readonly step: number;
  readonly at: number;
}

/** How many steps of the sequence are done after a contact. A reminder is none of them: it comes before the sequence. */
export const stepsAfter = ({ purpose, step }: Pick<MadeContact, 'purpose' | 'step'>): number =>
  purpose === 'reminder' ? step : step + 1;

/** Returns when a debt is asked about again after a contact, and the slot that is reserved for it. */
export function slotAfterContact(made: MadeContact): NextSlot & { at: number } {
  const { debtId, question, sequence, purpose, at } = made;
  const next = nextMove(sequence, { contactsMade: stepsAfter(made), anchorAt: at, promiseLapsed: false });
  if (next.kind === 'exhausted') return { at: next.notBefore, slot: null };
  const later: ContactQuestion =
    purpose === 'reminder'
      ? withReminderSent(question, at)
      : { ...question, debt: { ...question.debt, status: 'IN_COLLECTION', promisedDate: null } };
  const following = laterSlot(later, next.notBefore, debtId);
  return { at: following.at ?? next.notBefore, slot: following.slot };
}

const withReminderSent = (question: ContactQuestion, at: number): ContactQuestion => {
  const { reminders } = question.debt;
  return reminders == null
    ? question
    : { ...question, debt: { ...question.debt, reminders: { ...reminders, sentAt: at } } };
};

/** Returns whether a debt ends immediately with the contact after `step` others, because no wait follows it. */
export function endsWithContact({
  purpose,
  sequence,
  step,
  at,
}: Pick<MadeContact, 'purpose' | 'sequence' | 'step' | 'at'>): boolean {
  if (purpose === 'reminder') return false;
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
 * Returns whether a message for another debt of the person may speak of this one too, by its own status, dates and place:
 * a message that collects speaks of nothing that is not due, and a reminder of nothing else.
 * Caps and suppressions are not asked, because the gate decides about them once for the message.
 */
export const mayBeMentioned = (question: ContactQuestion, purpose: ContactPurpose): boolean =>
  purposeOf(question) === purpose &&
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
