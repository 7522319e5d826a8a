import { addDays } from '../../../kernel/calendar.ts';
import type { ReceivedDoubt } from '../../../kernel/received-states.ts';
import type { AmountsOfPlan } from './amounts-of-plan.ts';
import { invoiceKeyOf, invoiceName, invoicesInText, isSameInvoice } from './invoice-words.ts';
import type { MatchableDebt } from './matchable-debt.ts';
import type { ReceivedRow } from './received-row.ts';

export interface Payment extends ReceivedRow {
  readonly paidAt: Date;
}

/** A debt with the invoice as one of its rows has it. */
export interface DebtOfInvoice {
  readonly invoiceKey: string;
  readonly debt: MatchableDebt;
}

/** What is known about the debts of a client. */
export interface DebtsOfFile {
  /** The debts of an invoice by its name. */
  readonly byInvoice: ReadonlyMap<string, readonly DebtOfInvoice[]>;
  readonly byTaxId: ReadonlyMap<string, readonly MatchableDebt[]>;
  /** Amounts that somebody owes, for rows that tell nothing else. */
  readonly openAmounts: ReadonlySet<number>;
}

export type Match =
  | { readonly kind: 'certain'; readonly debt: MatchableDebt }
  | { readonly kind: 'doubt'; readonly state: 'ambiguous' | 'unmatched'; readonly doubt: ReceivedDoubt };

const certain = (debt: MatchableDebt): Match => ({ kind: 'certain', debt });
const ambiguous = (doubt: ReceivedDoubt): Match => ({ kind: 'doubt', state: 'ambiguous', doubt });
const unmatched = (doubt: ReceivedDoubt): Match => ({ kind: 'doubt', state: 'unmatched', doubt });

/** Debts of the sandbox are meant only where no real one is. */
const ofOneWorld = (debts: readonly MatchableDebt[]): readonly MatchableDebt[] => {
  const real = debts.filter(({ sandbox }) => !sandbox);
  return real.length > 0 ? real : debts;
};

/** Several debts of one agreement are one: its money goes to all of them. */
const withoutRepetition = (debts: readonly MatchableDebt[]): MatchableDebt[] => [
  ...new Map(debts.map((debt) => [debt.agreementId ?? debt.id, debt])).values(),
];

export function debtsOfInvoice({ byInvoice }: DebtsOfFile, written: string): readonly MatchableDebt[] {
  const key = invoiceKeyOf(written);
  const found = byInvoice.get(invoiceName(key)) ?? [];
  const exact = found.filter(({ invoiceKey }) => invoiceKey === key);
  const debts = (exact.length > 0 ? exact : found).map(({ debt }) => debt);
  return ofOneWorld([...new Map(debts.map((debt) => [debt.id, debt])).values()]);
}

function byIdentity(known: DebtsOfFile, row: Payment): Match | null {
  for (const written of [row.invoiceId, row.ourNumber]) {
    const debts = written === null ? [] : debtsOfInvoice(known, written);
    const [debt] = debts;
    if (debt === undefined) continue;
    if (debts.length > 1) return ambiguous('several_debts');
    // A return file names the payer of the boleto; in a table both columns are about the debt.
    const isOther = row.ourNumber === null && row.taxId !== null && debt.taxId !== '' && debt.taxId !== row.taxId;
    return isOther ? ambiguous('tax_id_differs') : certain(debt);
  }
  return null;
}

function byMemo(known: DebtsOfFile, row: Payment, amounts: AmountsOfPlan): Match | null {
  const debts = invoicesInText(row.memo ?? '').flatMap((word) => debtsOfInvoice(known, word));
  const named = [...new Map(debts.map((debt) => [debt.id, debt])).values()];
  if (named.length === 0) return null;
  // The debt may be paid: then the statement tells of a second payment, or of the one that is known.
  const principal = (debt: MatchableDebt): number => debt.amounts?.indebted.principalCentavos ?? 0;
  const fitting = named.filter(
    (debt) => amounts.fit(debt, row) || (debt.isPaid && principal(debt) === row.amountCentavos),
  );
  if (fitting.length > 1) return ambiguous('several_debts');
  return fitting[0] === undefined ? unmatched('amount_differs') : certain(fitting[0]);
}

/** A bill is rarely paid longer before its day: such money is more likely that of the bill before. */
const EARLIEST_DAYS = 31;

function byPerson(known: DebtsOfFile, row: Payment, amounts: AmountsOfPlan, isRecorded: IsRecorded): Match {
  const debts = ofOneWorld(known.byTaxId.get(row.taxId ?? '') ?? []);
  if (debts.length === 0) return unmatched('debt_not_found');
  const open = debts.filter((debt) => amounts.of(debt, row.paidAt).length > 0);
  const fitting = withoutRepetition(open.filter((debt) => amounts.fit(debt, row)));
  const recorded = debts.find((debt) => isRecorded(debt));
  const [debt] = fitting;
  if (debt === undefined) {
    if (recorded !== undefined) return certain(recorded);
    return unmatched(open.length === 0 ? 'no_open_debt' : 'amount_differs');
  }
  if (fitting.length > 1) return ambiguous('several_debts');
  if (recorded !== undefined && recorded.id !== debt.id) return ambiguous('same_day');
  if (row.paidOn < addDays(debt.dueDate, -EARLIEST_DAYS)) return ambiguous('date_differs');
  const isOtherInvoice =
    row.ourNumber === null &&
    row.invoiceId !== null &&
    debt.invoiceId !== null &&
    !isSameInvoice(row.invoiceId, debt.invoiceId);
  return isOtherInvoice ? ambiguous('invoice_differs') : certain(debt);
}

/** Whether a payment of the same amount and day is recorded about a debt. */
export type IsRecorded = (debt: MatchableDebt) => boolean;

/**
 * Returns the debt that a payment is for, where that is certain: by the invoice or the bank's number of the boleto, by an
 * invoice in a statement's text together with the amount, or by the person together with the amount and the day.
 */
export function matchRow(known: DebtsOfFile, row: Payment, amounts: AmountsOfPlan, isRecorded: IsRecorded): Match {
  const found = byIdentity(known, row) ?? byMemo(known, row, amounts);
  if (found !== null) return found;
  if (row.taxId !== null) return byPerson(known, row, amounts, isRecorded);
  const hasNoName = row.invoiceId === null && row.ourNumber === null;
  return unmatched(hasNoName && known.openAmounts.has(row.amountCentavos) ? 'amount_alone' : 'debt_not_found');
}

/** The sooner a row is matched, the less it depends on others: first those that name their debt. */
export const rankOf = ({ invoiceId, ourNumber, memo }: ReceivedRow): number =>
  invoiceId !== null || ourNumber !== null ? 0 : memo !== null ? 1 : 2;
