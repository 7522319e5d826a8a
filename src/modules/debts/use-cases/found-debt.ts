import { daysBetween, type LocalDate } from '../../../kernel/calendar.ts';
import { toReais } from '../../../kernel/money.ts';
import type { SharedDeps } from '../../deps.ts';
import type { Component } from '../../terms/rules/credits.ts';
import type { StoredIndices } from '../../terms/rules/index-series.ts';
import type { ExportedDebtRow, FoundDebtRow } from '../queries/debt-search.ts';
import type { InboxReason } from '../rules/inbox-reasons.ts';
import { type DebtView, debtView } from './debt-view.ts';
import { type OwedToday, owedNow } from './owed.ts';

/** A debt as searches and exports show it. */
export interface FoundDebt extends DebtView {
  readonly campaignName: string;
  readonly sandbox: boolean;
  /** Why a debt on hold waits for the client. */
  readonly holdReason: InboxReason | null;
  readonly nextContactAt: string | null;
  readonly promisedFor: string | null;
  readonly receiptProtocol: string | null;
  /** What is open with all that late payment adds, in reais; null for a row that a later import has replaced. */
  readonly owedToday: number | null;
}

/** What the amounts of a whole page or export are computed with. */
export interface Figuring extends Pick<SharedDeps, 'policy' | 'now'> {
  /** All published values, read once. */
  readonly indices: StoredIndices;
}

type Row = Omit<FoundDebtRow, 'createdAt' | 'nameKey'>;

/** What is asked for is owed of the current row of a debt alone, so that sums count it once. */
const owedOfRow = (row: Row, { indices, ...deps }: Figuring): OwedToday | null =>
  row.continuedBy === null ? owedNow(deps, { ...row, amountCentavos: row.originalAmountCentavos, indices }) : null;

const shownDebt = (row: Row, owed: OwedToday | null): FoundDebt => ({
  ...debtView(row),
  campaignName: row.campaignName,
  sandbox: row.sandbox,
  holdReason: row.holdReason,
  nextContactAt: row.nextContactAt?.toISOString() ?? null,
  promisedFor: row.promisedFor,
  receiptProtocol: row.receiptProtocol,
  owedToday: owed === null ? null : toReais(owed.total),
});

export const foundDebt = (row: Row, figuring: Figuring): FoundDebt => shownDebt(row, owedOfRow(row, figuring));

/** A debt as an export has it. */
export interface ExportedDebt extends FoundDebt {
  /** What has come and was not given back, in reais; null when nothing ever came. */
  readonly paidAmount: number | null;
  readonly paidAt: Date | null;
  /** Days since the due date of a debt that is still to be paid; null for others. */
  readonly daysLate: number | null;
  readonly lastContactAt: Date | null;
  /** The agreement that decides what is owed; null without one. */
  readonly agreementProtocol: string | null;
  /** When its next instalment is due; null once it has ended. */
  readonly nextInstalmentOn: LocalDate | null;
  /** What is open of the debt's share of it, in reais. */
  readonly agreedRest: number | null;
  /** What is open of each part today, in reais; null as `owedToday` is. */
  readonly principal: number | null;
  readonly fine: number | null;
  readonly interest: number | null;
  readonly correction: number | null;
}

export function exportedDebt(
  row: ExportedDebtRow,
  { today, ...figuring }: Figuring & { readonly today: LocalDate },
): ExportedDebt {
  const owed = owedOfRow(row, figuring);
  const open = (component: Component): number | null => (owed === null ? null : toReais(owed[component]));
  const { agreement, agreed } = row;
  // While it is active the agreement holds the money, and what is paid of the debt's share counts as paid.
  const ofShare = row.status === 'AGREEMENT' && agreed !== null ? agreed.shareCentavos - agreed.openCentavos : 0;
  const paidCentavos = ofShare === 0 ? row.paidCentavos : (row.paidCentavos ?? 0) + ofShare;
  const isOpen = row.status !== 'PAID' && row.status !== 'STOPPED';
  return {
    ...shownDebt(row, owed),
    paidAmount: paidCentavos === null ? null : toReais(paidCentavos),
    paidAt: ofShare > 0 && agreement?.paidAt != null ? new Date(agreement.paidAt) : row.paidAt,
    daysLate: isOpen ? Math.max(0, daysBetween(row.dueDate, today)) : null,
    lastContactAt: row.lastContactAt,
    agreementProtocol: agreement?.protocol ?? null,
    nextInstalmentOn: agreement?.nextDueDate ?? null,
    agreedRest: agreed === null ? null : toReais(agreed.openCentavos),
    principal: open('principal'),
    fine: open('fine'),
    interest: open('interest'),
    correction: open('correction'),
  };
}
