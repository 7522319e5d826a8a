import { addDays, addYears, HOUR, type LocalDate, localDate, startOfDay } from '../../../kernel/calendar.ts';
import { addBusinessDays } from '../../../kernel/holidays.ts';
import type { Place } from '../../../kernel/phone.ts';
import type { ContactQuestion, VerdictRule } from './contact-question.ts';
import { type Frame, rulesOfKind } from './contact-window.ts';
import { ofKind, type PolicyRule } from './policy-pack.ts';

/** Returns the blocks that no wait lifts: a decision of the client or the operator lifts them, or nothing does. */
export const standingBlocks = (question: ContactQuestion): VerdictRule[] => {
  const { debt, suppressions } = question;
  const blocks: readonly (readonly [VerdictRule, boolean])[] = [
    ['opt_out', suppressions.optedOut || suppressions.phoneSilenced === true || debt.status === 'OPTED_OUT'],
    ['dispute', debt.status === 'DISPUTED'],
    ['hold', debt.status === 'ON_HOLD'],
    ['wrong_person', suppressions.wrongPerson],
    ['paused', question.campaignPaused],
    ['client_inactive', question.clientInactive],
    ['client_not_verified', question.clientUnverified],
    ['paid', debt.status === 'PAID'],
    ['stopped', debt.status === 'STOPPED' || question.campaignArchived],
    ['exhausted', debt.status === 'EXHAUSTED' || debt.status === 'UNREACHABLE'],
  ];
  return blocks.filter(([, blocked]) => blocked).map(([rule]) => rule);
};

const MINUTE = HOUR / 60;

export interface DebtLimits {
  /** The moments from which the due date, a promise, a reported payment and the inbox allow a contact. */
  readonly waits: readonly (readonly [VerdictRule, number])[];
  /**
   * The end of the silence after the debtor has said that it is paid; null when the debtor has not. If no payment has come
   * by then, a person has to look, so nothing is sent afterwards either.
   */
  readonly claimEndsAt: number | null;
  /** The first moment at which the debt is prescribed in any place where the debtor may be. */
  readonly prescribedAt: number;
}

/** Returns the limits that follow from the debt itself, and not from the hour or from other contacts of the person. */
export const debtLimits = ({ holidays, debt, now, inboxWaiting }: ContactQuestion, frame: Frame): DebtLimits => {
  const { place } = frame;
  const today = localDate(now, place.utcOffsets[0]!);
  const east = Math.max(...place.utcOffsets);
  const from = (date: LocalDate) => startOfDay(date, Math.min(...place.utcOffsets));
  const waits: [VerdictRule, number][] = [];
  for (const { retryMinutes } of inboxWaiting ? rulesOfKind(frame, 'inbox', today) : []) {
    waits.push(['inbox', now + retryMinutes * MINUTE]);
  }
  for (const rule of rulesOfKind(frame, 'due', today))
    waits.push(['due', from(addDays(debt.dueDate, rule.daysAfterDue))]);
  for (const { businessDays } of debt.promisedDate === null ? [] : rulesOfKind(frame, 'promise', today)) {
    waits.push(['promise', from(addBusinessDays(holidays, debt.promisedDate!, businessDays, place.states))]);
  }
  const claims = (debt.saidPaidAt === null ? [] : rulesOfKind(frame, 'said_paid', today)).map(({ businessDays }) => {
    // Only whole days count: the day of the message does not count, and the silence lasts until the last day has ended.
    const said = localDate(debt.saidPaidAt!, east);
    return from(addDays(addBusinessDays(holidays, said, businessDays, place.states), 1));
  });
  const claimEndsAt = claims.length === 0 ? null : Math.max(...claims);
  if (claimEndsAt !== null) waits.push(['said_paid', claimEndsAt]);
  if (debt.staffAnswersUntil !== null) waits.push(['person_answering', debt.staffAnswersUntil]);
  const prescribing = rulesOfKind(frame, 'prescription', today);
  const prescribedAt = prescribedFrom(debt.prescribedSince ?? debt.dueDate, prescribing, place, now);
  return { waits, claimEndsAt, prescribedAt };
};

/** Returns the first moment at which a debt is prescribed in any place where the debtor may be, by the rules of today. */
export function prescribedFrom(
  dueDate: LocalDate,
  rules: readonly PolicyRule[],
  { utcOffsets }: Pick<Place, 'utcOffsets'>,
  now: number,
): number {
  const ends = ofKind(rules, 'prescription', localDate(now, utcOffsets[0]!)).map(({ years }) =>
    startOfDay(addDays(addYears(dueDate, years), 1), Math.max(...utcOffsets)),
  );
  return Math.min(...ends, Number.POSITIVE_INFINITY);
}
