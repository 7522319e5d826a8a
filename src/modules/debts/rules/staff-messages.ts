import { addDays, HOUR, localDate, startOfDay } from '../../../kernel/calendar.ts';
import { addBusinessDays, type HolidayCalendar } from '../../../kernel/holidays.ts';
import { type GuardProblem, type GuardRules, guardMessage } from '../../../kernel/message-guard.ts';
import { placeOfAll } from '../../../kernel/phone.ts';
import { type BindingPack, type Channel, ofKind, rulesFor } from '../../policy/rules/policy-pack.ts';

/** The most characters of a message that staff write; it is what WhatsApp takes. */
export const MAX_STAFF_TEXT = 4_096;

export interface StaffContext {
  readonly pack: BindingPack;
  readonly holidays: HolidayCalendar;
  readonly channel: Channel;
  readonly phoneAreaCode: string;
  readonly otherAreaCodes: readonly string[];
  readonly now: number;
}

function rulesOf({ pack, channel, phoneAreaCode, otherAreaCodes, now }: StaffContext) {
  const place = placeOfAll(phoneAreaCode, otherAreaCodes);
  const rules = rulesFor(pack, place.states, channel);
  return { place, rules: ofKind(rules, 'person_answering', localDate(now, place.utcOffsets[0]!)) };
}

/** What is known of the debtor's last message, in milliseconds of the clock of the debt that it came to. */
export interface LastWritten {
  /** Nobody has answered it. Only a person answers a request for a person, for time, for a deal, or a dispute. */
  readonly waits: boolean;
  readonly ageMs: number;
}

/** Whether staff may answer at once, at any hour and without a cap. */
export const mayAnswer = (context: StaffContext, last: LastWritten | null): boolean =>
  last !== null && (last.waits || rulesOf(context).rules.every(({ hours }) => last.ageMs < hours * HOUR));

/** Returns until when the agent is silent after staff have written; only whole business days count. */
export function staffAnswersUntil(context: StaffContext): number {
  const { place, rules } = rulesOf(context);
  const today = localDate(context.now, Math.max(...place.utcOffsets));
  const days = Math.max(0, ...rules.map(({ businessDays }) => businessDays));
  const last = addBusinessDays(context.holidays, today, days, place.states);
  return startOfDay(addDays(last, 1), Math.min(...place.utcOffsets));
}

/**
 * Threats, ridicule, third parties and words about the police or a court (Consumer Code, art. 42 and 71; LGPD). No writer
 * may confirm them. The guard cannot read hidden characters, and a text that is too long is not sent. Whether anything
 * else is right depends on facts that the writer knows.
 */
const FORBIDDEN: readonly GuardProblem[] = [
  'threat',
  'shame',
  'third_party',
  'disclosure',
  'hidden_characters',
  'too_long',
];

export interface JudgedText {
  readonly forbidden: readonly GuardProblem[];
  readonly warnings: readonly GuardProblem[];
}

export function judgeStaffText(
  text: string,
  rules: Pick<GuardRules, 'known' | 'required' | 'paid' | 'charged'>,
): JudgedText {
  const problems = guardMessage(text, { ...rules, mayDisclose: true, maxLength: 2 * MAX_STAFF_TEXT });
  return {
    forbidden: problems.filter((problem) => FORBIDDEN.includes(problem)),
    warnings: problems.filter((problem) => !FORBIDDEN.includes(problem)),
  };
}

/** Other systems end lines with two characters and indent with tabs, which the guard takes for hidden characters. */
export const plainLines = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replaceAll('\t', ' ');
