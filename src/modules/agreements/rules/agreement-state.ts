import { addDays, type LocalDate } from '../../../kernel/calendar.ts';
import { addBusinessDays } from '../../../kernel/holidays.ts';
import { type DebtorCalendar, nextBusinessDay } from '../../terms/rules/counted-days.ts';
import { type Credit, inOrderOfDays } from '../../terms/rules/credits.ts';
import type { Instalment } from './instalments.ts';

export const AGREEMENT_STATUSES = ['ACTIVE', 'COMPLETED', 'BROKEN', 'CANCELLED'] as const;
export type AgreementStatus = (typeof AGREEMENT_STATUSES)[number];
export type AgreementEvent = 'completed' | 'broken' | 'cancelled';

/** Returns the status after `event`, or null where it changes nothing: only an active agreement ends. */
export const nextAgreementStatus = (status: AgreementStatus, event: AgreementEvent): AgreementStatus | null =>
  status === 'ACTIVE' ? (event.toUpperCase() as Uppercase<AgreementEvent>) : null;

export const INSTALMENT_STATUSES = ['PENDING', 'APPROVED', 'LATE', 'CANCELLED'] as const;
export type InstalmentStatus = (typeof INSTALMENT_STATUSES)[number];

export interface InstalmentState<Payment extends Credit = Credit> extends Instalment {
  readonly status: InstalmentStatus;
  readonly openCentavos: number;
  /** The day of the payment that covered it. */
  readonly paidOn: LocalDate | null;
  /** The payment that covered it. */
  readonly paidBy: Payment | null;
}

export interface AgreementMoney<Payment extends Credit = Credit> {
  readonly status: AgreementStatus;
  readonly instalments: readonly Instalment[];
  /** What the creditor still has of the payments since the agreement was accepted. */
  readonly payments: readonly Payment[];
}

/**
 * Returns the state of each instalment. Money pays the instalments in order, by whichever code it came, so that nobody
 * breaks an agreement who has paid what was due by then.
 */
export function instalmentStates<Payment extends Credit>(
  { status, instalments, payments }: AgreementMoney<Payment>,
  today: LocalDate,
): InstalmentState<Payment>[] {
  const money = inOrderOfDays(payments).map((payment) => ({ payment, left: payment.amountCentavos }));
  return instalments.map((instalment) => {
    let openCentavos = instalment.amountCentavos;
    let paidBy: Payment | null = null;
    for (const one of money) {
      const part = Math.min(one.left, openCentavos);
      one.left -= part;
      openCentavos -= part;
      if (part > 0) paidBy = one.payment;
    }
    if (openCentavos === 0) {
      return { ...instalment, status: 'APPROVED', openCentavos, paidOn: paidBy?.on ?? null, paidBy };
    }
    const open = status !== 'ACTIVE' ? 'CANCELLED' : instalment.dueDate < today ? 'LATE' : 'PENDING';
    return { ...instalment, status: open, openCentavos, paidOn: null, paidBy: null };
  });
}

/** Returns what is open of what was agreed: the price of paying all of it early, and the rest under `keep`. */
export const agreedRest = ({ instalments, payments }: Pick<AgreementMoney, 'instalments' | 'payments'>): number =>
  Math.max(
    0,
    instalments.reduce((sum, { amountCentavos }) => sum + amountCentavos, 0) -
      payments.reduce((sum, { amountCentavos }) => sum + amountCentavos, 0),
  );

/** The notices about one instalment. The last one warns of the breach. */
export const NOTICES = ['day_before', 'due_day', 'warning'] as const;
export type Notice = (typeof NOTICES)[number];

const WARNING_AFTER_DAYS = 3;
const BUSINESS_DAYS_AFTER_WARNING = 3;

export interface SentNotice {
  readonly instalment: number;
  readonly notice: Notice;
  readonly on: LocalDate;
  readonly messageId?: string;
}

export interface AgreementFacts extends AgreementMoney {
  readonly breachAfterDays: number;
  readonly calendar: DebtorCalendar;
  readonly notices: readonly SentNotice[];
  /** The messages of notices of which nobody knows whether they were sent. */
  readonly unsureMessages: readonly string[];
  /**
   * True after an opt-out, a dispute, hardship, a wrong person or news of a death, until a person decides; and for good
   * once the client is cancelled.
   */
  readonly isStopped: boolean;
  /**
   * What was due before this day is due again from it, and warned of anew: money was taken back, staff have resumed the
   * agreement, or its breach would have come during a pause.
   */
  readonly dueAgainOn: LocalDate | null;
}

export type AgreementStep =
  | { readonly kind: 'completed' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'notify'; readonly instalment: number; readonly notice: Notice }
  /** Null when only an event from outside changes anything. */
  | { readonly kind: 'wait'; readonly until: LocalDate | null };

const later = (left: LocalDate, right: LocalDate | null): LocalDate => (right !== null && right > left ? right : left);

/** Returns what an agreement does on a day, or until when it waits. A notice that was not sent on its day is left out. */
export function agreementStep(facts: AgreementFacts, today: LocalDate): AgreementStep {
  if (facts.status !== 'ACTIVE') return { kind: 'wait', until: null };
  const open = instalmentStates(facts, today).filter(({ status }) => status !== 'APPROVED');
  if (open.length === 0) return { kind: 'completed' };
  if (facts.isStopped) return { kind: 'wait', until: null };
  const dates = open.flatMap(({ number, dueDate }) => comingDates(facts, number, dueDate, today));
  if (dates.some(({ kind, on }) => kind === 'broken' && on <= today)) return { kind: 'broken' };
  for (const date of dates) if (date.kind !== 'broken' && date.on <= today) return { ...date.notify, kind: 'notify' };
  return { kind: 'wait', until: dates.map(({ on }) => on).toSorted()[0] ?? null };
}

type ComingDate =
  | { readonly on: LocalDate; readonly kind: 'broken' }
  | { readonly on: LocalDate; readonly kind: 'notify'; readonly notify: { instalment: number; notice: Notice } };

/** Returns what is still to come of one open instalment, with the first day of each. */
function comingDates(facts: AgreementFacts, instalment: number, dueDate: LocalDate, today: LocalDate): ComingDate[] {
  const due = later(dueDate, facts.dueAgainOn);
  const sent = (notice: Notice) =>
    facts.notices.filter(
      (one) => one.instalment === instalment && one.notice === notice && one.on >= (facts.dueAgainOn ?? one.on),
    );
  const notify = (notice: Notice, on: LocalDate): ComingDate => ({
    on,
    kind: 'notify',
    notify: { instalment, notice },
  });
  const before = addDays(dueDate, -1);
  const dates: ComingDate[] = [];
  if (today <= before && sent('day_before').length === 0) dates.push(notify('day_before', before));
  if (today <= dueDate && sent('due_day').length === 0) dates.push(notify('due_day', dueDate));
  const warnings = sent('warning');
  const warned = warnings.at(-1);
  const isSure = warnings.some(({ messageId }) => messageId === undefined || !facts.unsureMessages.includes(messageId));
  // Nobody breaks an agreement who may not have been warned, and nobody is warned twice on one day.
  if (warned === undefined || !isSure) {
    const again = warned === undefined ? null : addDays(warned.on, 1);
    return [...dates, notify('warning', later(addDays(due, WARNING_AFTER_DAYS), again))];
  }
  // The last day on which the debtor can still pay has to be over, and no agreement is broken on a day without contact,
  // however late it is looked at.
  const last = lastDayToPay(facts, dueDate, warned.on);
  return [...dates, { on: nextBusinessDay(facts.calendar, later(addDays(last, 1), today)), kind: 'broken' }];
}

/** Returns the last day on which a debtor can keep the agreement who is warned on that day. */
export const lastDayToPay = (
  { breachAfterDays, calendar, dueAgainOn }: Pick<AgreementFacts, 'breachAfterDays' | 'calendar' | 'dueAgainOn'>,
  dueDate: LocalDate,
  warnedOn: LocalDate,
): LocalDate =>
  later(
    addDays(later(dueDate, dueAgainOn), breachAfterDays),
    addBusinessDays(calendar.holidays, warnedOn, BUSINESS_DAYS_AFTER_WARNING, calendar.states),
  );

/** By how many days a debtor may move an instalment. */
export const MAX_DAYS_MOVED = 10;

/** Returns whether the debtor may move an open instalment to a day that is a business day there. */
export const mayMove = (
  { dueDate, status }: Pick<InstalmentState, 'dueDate' | 'status'>,
  to: LocalDate,
  today: LocalDate,
  movesLeft: number,
): boolean =>
  movesLeft > 0 &&
  (status === 'PENDING' || status === 'LATE') &&
  to > dueDate &&
  to >= today &&
  to <= addDays(dueDate, MAX_DAYS_MOVED);
