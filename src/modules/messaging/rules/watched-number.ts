import { HOUR } from '../../../kernel/calendar.ts';
import { isNearEnd } from './message-prices.ts';

/**
 * Meta says `sent` of a message within seconds, also while the phone is off. A report may come late, so the youngest
 * messages say nothing yet; and what was sent a day ago says nothing about the number as it is now.
 */
export const HEARD_WITHIN_MS = HOUR / 2;
export const WATCHED_MS = 24 * HOUR;
/** So many of the newest messages are looked at, and so many of them have to be silent. */
export const NEWEST = 5;
const SILENT_AT_LEAST = 3;

export interface NumberFacts {
  /** The free messages of the month that were delivered. */
  readonly used: number;
  /** Of the newest messages without a template: how many the channel has accepted, and of how many it said more. */
  readonly accepted: number;
  readonly heard: number;
}

/**
 * Returns whether a missing payment method is suspected, or null when nothing can be said. Meta accepts messages that it
 * will not deliver only where they cost: the silent ones count as if they had been delivered, because the report of some
 * free message may have been lost.
 */
export function isPaymentSuspected({ used, accepted, heard }: NumberFacts, freeOfMonth: number): boolean | null {
  if (heard > 0) return false;
  if (accepted < SILENT_AT_LEAST) return null;
  return used + accepted >= freeOfMonth ? true : null;
}

export const isFreeEnding = ({ used }: NumberFacts, freeOfMonth: number): boolean => isNearEnd(used, freeOfMonth);

/** The reason of a sender that Meta has told to have no payment method, and of one of which that is suspected. */
const PAYMENT_MISSING = 'suspended 131042';
export const PAYMENT_SUSPECTED = 'payment_suspected';

export const isPaymentMissing = (reason: string | null): boolean => reason === PAYMENT_MISSING;
