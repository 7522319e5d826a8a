import { addDays, HOUR, localDate, startOfDay } from '../../../kernel/calendar.ts';
import type { HolidayCalendar } from '../../../kernel/holidays.ts';
import { placeOf } from '../../../kernel/phone.ts';
import { openIntervals } from './contact-window.ts';
import { type BindingPack, type Channel, ofKind, type RuleKind, rulesFor } from './policy-pack.ts';

/** The input of the rules for messages that do not collect: replies, receipts and free text, which no cap counts. */
export interface MessageContext {
  readonly pack: BindingPack;
  readonly holidays: HolidayCalendar;
  readonly channel: Channel;
  readonly phoneAreaCode: string;
  readonly now: number;
}

const YEAR_OF_DAYS = 366;

/** Returns the beginning of the debtor's calendar day. */
export const startOfToday = ({ phoneAreaCode, now }: Pick<MessageContext, 'phoneAreaCode' | 'now'>): number => {
  const offset = placeOf(phoneAreaCode).utcOffsets[0]!;
  return startOfDay(localDate(now, offset), offset);
};

const inForce = <K extends RuleKind>({ pack, channel, phoneAreaCode, now }: MessageContext, kind: K) => {
  const place = placeOf(phoneAreaCode);
  return ofKind(rulesFor(pack, place.states, channel), kind, localDate(now, place.utcOffsets[0]!));
};

/** Returns the ids of the rules of a kind that hold now, for the verdict that names them. */
export const idsInForce = (context: MessageContext, kind: RuleKind): string[] =>
  inForce(context, kind).map(({ id }) => id);

/** Returns the first moment from now on inside the window of a business day; null when there is none within a year. */
export const nextOpening = (context: MessageContext): number | null => {
  const place = placeOf(context.phoneAreaCode);
  const frame = { rules: rulesFor(context.pack, place.states, context.channel), holidays: context.holidays, place };
  let date = localDate(context.now, Math.min(...place.utcOffsets));
  for (let days = 0; days <= YEAR_OF_DAYS; days += 1, date = addDays(date, 1)) {
    const open = openIntervals(frame, date).find(({ to }) => to > context.now);
    if (open !== undefined) return Math.max(open.from, context.now);
  }
  return null;
};

/**
 * A message of the debtor may be answered at once and at any hour, as often as the pack's `reply` rule allows. An answer
 * that could not go out at once waits for `nextOpening`. `today` is the number of replies about the debt since
 * `startOfToday`.
 */
export const mayReply = (
  context: MessageContext,
  replies: { readonly toThisMessage: number; readonly today: number },
): boolean =>
  inForce(context, 'reply').every(
    ({ perMessage, perDay }) => replies.toThisMessage < perMessage && replies.today < perDay,
  );

/** Free text instead of a template is allowed only for some hours after the debtor's last message. */
export const mayWriteFreely = (context: MessageContext, lastInboundAt: number | null): boolean =>
  inForce(context, 'free_text').every(
    ({ hours }) => lastInboundAt !== null && context.now - lastInboundAt < hours * HOUR,
  );

export type ReceiptSending =
  | { readonly send: true; readonly at: number }
  | { readonly send: false; readonly reason: 'opt_out' | 'wrong_person' | 'too_many' | 'no_opening' };

export interface ReceiptQuestion extends MessageContext {
  /**
   * True when the payment was confirmed just now and the debtor expects the receipt; false when the client asked for
   * it.
   */
  readonly onConfirmation: boolean;
  readonly optedOut: boolean;
  readonly wrongPerson: boolean;
  readonly sendings: readonly number[];
}

/** Decides whether and when a receipt is sent to the debtor's phone. The debtor can download it in any case. */
export const decideReceiptSending = (question: ReceiptQuestion): ReceiptSending => {
  const { now, sendings } = question;
  if (question.wrongPerson) return { send: false, reason: 'wrong_person' };
  if (question.optedOut) return { send: false, reason: 'opt_out' };
  const today = sendings.filter((at) => at >= startOfToday(question)).length;
  if (inForce(question, 'receipt').some(({ sendingsPerDay }) => today >= sendingsPerDay)) {
    return { send: false, reason: 'too_many' };
  }
  const at = question.onConfirmation ? now : nextOpening(question);
  return at === null ? { send: false, reason: 'no_opening' } : { send: true, at };
};
