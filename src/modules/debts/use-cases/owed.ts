import { type LocalDate, localDate } from '../../../kernel/calendar.ts';
import type { HolidayCalendar } from '../../../kernel/holidays.ts';
import { areaCodeOf, displayOffset, placeOfAll } from '../../../kernel/phone.ts';
import type { SharedDeps } from '../../deps.ts';
import { creditsOf } from '../../terms/rules/credits.ts';
import { indexSeriesOf, type StoredIndices } from '../../terms/rules/index-series.ts';
import { charges, type StoredTerms } from '../../terms/rules/late-payment-terms.ts';
import { type Centavos, type IndebtedFor, type Owed, owedOn } from '../../terms/rules/owed-on.ts';
import type { AgreedShare, StoredCredit } from '../queries/debt-context.ts';
import { debtNow } from './clock.ts';

/** What decides how much is owed of a debt. A debt's context has it. */
export interface OwedDebt {
  readonly amountCentavos: number;
  readonly dueDate: LocalDate;
  readonly terms: StoredTerms | null;
  readonly indices: StoredIndices | null;
  readonly credits: readonly StoredCredit[];
  /** Absent in a draft. */
  readonly agreed?: AgreedShare | null;
  readonly debtorPhone: string;
  readonly phones: readonly string[];
  readonly clockOffsetMs: number;
}

/** The debtor's day at a moment of the debt's own clock. */
export const debtorDay = ({ debtorPhone }: Pick<OwedDebt, 'debtorPhone'>, at: number): LocalDate =>
  localDate(at, displayOffset(areaCodeOf(debtorPhone)));

/** Returns what is owed without any payment. */
export const indebtedFor = (debt: Omit<OwedDebt, 'credits'>, holidays: HolidayCalendar): IndebtedFor => ({
  terms: debt.terms,
  principalCentavos: debt.amountCentavos,
  dueDate: debt.dueDate,
  calendar: {
    holidays,
    states: placeOfAll(areaCodeOf(debt.debtorPhone), debt.phones.map(areaCodeOf)).states,
  },
  indices: indexSeriesOf(debt.indices),
});

/**
 * Returns what is owed of the debt on a day, as its agreement says where it has one. Codes, pages, messages, exports and receipts all ask here, so that there is
 * one total.
 */
export const owedOfDebt = (debt: OwedDebt, on: LocalDate, holidays: HolidayCalendar): Owed =>
  debt.agreed == null
    ? owedOn({ ...indebtedFor(debt, holidays), credits: creditsOf(debt.credits), on })
    : owedAsAgreed(debt.dueDate, debt.agreed);

/** An agreement fixes what is owed of a debt: nothing is added to the share, and what is open of it is asked for. */
const owedAsAgreed = (dueDate: LocalDate, { shareCentavos, openCentavos }: AgreedShare): Owed => ({
  principal: openCentavos,
  interest: 0,
  fine: 0,
  correction: 0,
  total: openCentavos,
  countsFrom: dueDate,
  days: 0,
  paid: shareCentavos - openCentavos,
  excess: 0,
  parts: [],
  periods: [],
  missing: [],
});

/** What is owed on a day. */
export interface OwedToday extends Owed {
  readonly on: LocalDate;
}

/** Returns what is owed on the debtor's day of a moment by the debt's own clock; without a moment, at present. */
export function owedNow(
  { policy, now }: Pick<SharedDeps, 'policy' | 'now'>,
  debt: OwedDebt,
  at: number = debtNow(debt.clockOffsetMs, now().getTime()),
): OwedToday {
  const on = debtorDay(debt, at);
  return { ...owedOfDebt(debt, on, policy.holidays), on };
}

/**
 * Returns the parts of what is owed; null for a debt to which nothing is ever added. A text says so, and a debtor may
 * rely on it, so the parts are also there on days on which nothing is charged yet.
 */
export const chargedOf = (
  { terms, agreed }: Pick<OwedDebt, 'terms' | 'agreed'>,
  { principal, fine, interest, correction }: Owed,
): Centavos | null =>
  agreed == null && terms !== null && charges(terms) ? { principal, fine, interest, correction } : null;

/**
 * What was paid of a paid debt: at least what settled it, also where a part was returned since. That is its principal,
 * unless the creditor gave up a part of that.
 */
export const paidInAll = (
  { amountCentavos, credits }: Pick<OwedDebt, 'amountCentavos' | 'credits'>,
  { paid, excess }: Owed,
): number => {
  const settled = credits.find(({ coveredCentavos }) => coveredCentavos !== null)?.coveredCentavos ?? amountCentavos;
  return Math.max(Math.min(settled, amountCentavos), paid - excess);
};
