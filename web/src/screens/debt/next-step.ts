import type { GetContactEligibilityResult, GetDebtResult } from '../../api/client.ts';
import { formatMoment } from '../../format.ts';
import { DEBT } from '../../texts/debt.ts';
import { whyNot } from '../../texts/words.ts';

type Status = GetDebtResult['status'];
type Eligibility = Pick<GetContactEligibilityResult, 'allowed' | 'rules' | 'notBefore'>;

/** The statuses in which only a decision of the company goes on with the debt. */
export const WAITS: ReadonlySet<Status> = new Set(['ON_HOLD', 'DISPUTED']);

/** What needs no question to the contact policy. */
const CERTAIN: Partial<Record<Status, string>> = {
  PAID: DEBT.nextPaid,
  STOPPED: DEBT.nextStopped,
  EXHAUSTED: DEBT.nextExhausted,
  UNREACHABLE: DEBT.nextUnreachable,
  OPTED_OUT: DEBT.nextOptedOut,
  IMPORTED: DEBT.nextDraft,
  AGREEMENT: DEBT.nextAgreement,
};

export const isCertain = (status: Status): boolean => status in CERTAIN;

/**
 * One sentence about what happens to the debt now. For a debt that waits, `eligibility` is what the policy would say
 * after the debt is resumed.
 */
export function nextStep(status: Status, eligibility: Eligibility | undefined, zone: string): string {
  const certain = CERTAIN[status];
  if (certain !== undefined) return certain;
  if (eligibility === undefined) return DEBT.nextUnknown;
  const { allowed, rules, notBefore } = eligibility;
  const why = rules.map(whyNot).join(', ');
  const moment = notBefore === null ? null : formatMoment(notBefore, zone);
  if (WAITS.has(status)) {
    if (allowed) return DEBT.waitsNow;
    return moment === null ? DEBT.waitsNever(why) : DEBT.waitsFrom(moment);
  }
  if (allowed) return DEBT.nextAllowed;
  return moment === null ? DEBT.nextNever(why) : DEBT.nextFrom(moment, why);
}

/** Whole days since the due date, by the calendar of the day given; negative before it. */
export const daysOverdue = (dueDate: string, today: string): number =>
  Math.round((Date.parse(today) - Date.parse(dueDate)) / 86_400_000);
