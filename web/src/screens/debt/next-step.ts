import type { GetContactEligibilityResult, GetDebtResult } from '../../api/client.ts';
import { formatMoment } from '../../format.ts';
import { DEBT } from '../../texts/debt.ts';
import { RULE, wordOf } from '../../texts/words.ts';

type Status = GetDebtResult['status'];

const ENDED: ReadonlySet<Status> = new Set(['STOPPED', 'EXHAUSTED', 'OPTED_OUT', 'UNREACHABLE']);

/** One sentence about what happens to the debt now. */
export function nextStep(
  status: Status,
  eligibility: Pick<GetContactEligibilityResult, 'allowed' | 'rules' | 'notBefore'> | undefined,
  zone: string,
): string {
  if (status === 'PAID') return DEBT.nextPaid;
  if (ENDED.has(status)) return DEBT.nextEnded;
  if (status === 'IMPORTED') return DEBT.nextDraft;
  if (eligibility === undefined) return '…';
  if (eligibility.allowed) return DEBT.nextAllowed;
  const rules = eligibility.rules.map((rule) => wordOf(RULE, rule)).join(', ');
  return eligibility.notBefore === null
    ? DEBT.nextNever(rules)
    : DEBT.nextFrom(formatMoment(eligibility.notBefore, zone), rules);
}

/** Whole days since the due date, by the calendar of the day given; negative before it. */
export const daysOverdue = (dueDate: string, today: string): number =>
  Math.round((Date.parse(today) - Date.parse(dueDate)) / 86_400_000);
