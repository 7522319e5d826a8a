import type { LocalDate } from '../../../kernel/calendar.ts';
import { type DebtStatus, isOwed } from '../../../kernel/debt-status.ts';

/** The first year of which a declaration is due: Lei 12.007 is of July 2009. */
export const FIRST_QUITTANCE_YEAR = 2009;
export const LAST_QUITTANCE_YEAR = 9_998;

/** Nobody has more bills of one creditor; a document of more would not be read. */
export const MAX_QUITTANCE_BILLS = 120;

/** A bill of the person as it is known here. */
export interface KnownBill {
  readonly debtId: string;
  readonly dueDate: LocalDate;
  readonly status: DebtStatus;
  /** Whether the money that settled it is still the creditor's. It says nothing of a bill that is not PAID. */
  readonly covered: boolean;
}

export const QUITTANCE_REFUSALS = ['year_not_over', 'nothing_paid', 'owed', 'money_back', 'too_many'] as const;
/**
 * Why a year cannot be quitted. `nothing_paid`: no bill of the year is known here and paid. `owed`: a bill of it is neither
 * paid nor ended by a person. `money_back`: the payment of one went back.
 */
export type QuittanceRefusal = (typeof QUITTANCE_REFUSALS)[number];

export interface RefusedBills {
  readonly code: QuittanceRefusal;
  /** The bills that are the reason; empty where it is the year. */
  readonly debtIds: readonly string[];
}

export interface QuittanceDecision<Bill extends KnownBill> {
  /** Paid bills of the year, by due date. */
  readonly paid: readonly Bill[];
  /** Bills of the year that a person ended without a payment. They count neither as owed nor as paid. */
  readonly ended: readonly Bill[];
  /** Bills of earlier years that are still owed: the declaration covers earlier years and has to except them. */
  readonly earlierOwed: readonly Bill[];
  /** Empty when the year may be quitted. */
  readonly refusals: readonly RefusedBills[];
}

export const yearOf = (date: LocalDate): number => Number(date.slice(0, 4));

const isUnpaid = (bill: KnownBill): boolean => isOwed(bill) || (bill.status === 'PAID' && !bill.covered);

const idsOf = (bills: readonly KnownBill[]): string[] => bills.map(({ debtId }) => debtId);

/**
 * Decides whether all bills of a year are paid, by the due date of each (Lei 12.007/2009, art. 2). `bills` are those of the
 * person that are due until the end of the year, and later ones count for nothing.
 */
export function decideQuittance<Bill extends KnownBill>(
  year: number,
  { bills, today }: { readonly bills: readonly Bill[]; readonly today: LocalDate },
): QuittanceDecision<Bill> {
  const sorted = bills.toSorted((one, other) => {
    const [a, b] = [`${one.dueDate} ${one.debtId}`, `${other.dueDate} ${other.debtId}`];
    return a < b ? -1 : a > b ? 1 : 0;
  });
  const ofYear = sorted.filter(({ dueDate }) => yearOf(dueDate) === year);
  const paid = ofYear.filter((bill) => bill.status === 'PAID' && bill.covered);
  const owed = ofYear.filter(isOwed);
  const moneyBack = ofYear.filter((bill) => bill.status === 'PAID' && !bill.covered);
  const reasons: readonly (RefusedBills & { readonly holds: boolean })[] = [
    { code: 'year_not_over', debtIds: [], holds: yearOf(today) <= year },
    { code: 'too_many', debtIds: [], holds: bills.length > MAX_QUITTANCE_BILLS },
    { code: 'owed', debtIds: idsOf(owed), holds: owed.length > 0 },
    { code: 'money_back', debtIds: idsOf(moneyBack), holds: moneyBack.length > 0 },
    { code: 'nothing_paid', debtIds: [], holds: paid.length === 0 && owed.length + moneyBack.length === 0 },
  ];
  return {
    paid,
    ended: ofYear.filter(({ status }) => status === 'STOPPED'),
    earlierOwed: sorted.filter((bill) => yearOf(bill.dueDate) < year && isUnpaid(bill)),
    refusals: reasons.filter(({ holds }) => holds).map(({ code, debtIds }) => ({ code, debtIds })),
  };
}
