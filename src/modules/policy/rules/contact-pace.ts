import { HOUR } from '../../../kernel/calendar.ts';
import { decideContact } from './contact-policy.ts';
import type { ContactQuestion } from './contact-question.ts';

/**
 * First contacts that become due together keep a pace for this time at most, which is far less than a window lasts:
 * messages of debtors and payments would otherwise wait behind a whole campaign.
 */
export const MAX_WAVE_MS = 4 * HOUR;

/** Later contacts that wait for an opening are spread over this time, for the same reason. */
export const SPREAD_MS = 2 * HOUR;

/** The time between two first contacts. */
export const intervalOf = (contactsPerSecond: number): number => 1_000 / contactsPerSecond;

/**
 * Returns the moments of contacts that keep the pace, from the moment `first`, which follows the contacts that are
 * planned already. When the longest time after `from` is used up, the next round begins at `from` again.
 */
export const pacedMoments = (
  from: number,
  { first, count, contactsPerSecond }: { readonly first: number; readonly count: number; contactsPerSecond: number },
): number[] =>
  Array.from({ length: count }, (_, index) => {
    const delay = first - from + index * intervalOf(contactsPerSecond);
    return from + Math.floor(delay % MAX_WAVE_MS);
  });

/** Returns how long after an opening a later contact of the debt is made. Ids are random, so they spread evenly. */
export const spreadDelay = (debtId: string): number =>
  Math.floor((Number.parseInt(debtId.slice(0, 8), 16) / 2 ** 32) * SPREAD_MS);

/** Returns whether the window opens at this moment, so that many debts may wait for it. */
export function isOpening(question: ContactQuestion, at: number): boolean {
  const before = decideContact({ ...question, now: at - 1 });
  return !before.allowed && before.rules.some((rule) => rule === 'window' || rule === 'holidays');
}

/** Moves a contact that waits for an opening to the debt's own moment after it, where the policy allows that one too. */
export function spreadFrom(question: ContactQuestion, at: number, debtId: string): number {
  if (!isOpening(question, at)) return at;
  const later = at + spreadDelay(debtId);
  return decideContact({ ...question, now: later }).allowed ? later : at;
}
