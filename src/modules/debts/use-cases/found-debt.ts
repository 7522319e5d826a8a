import { daysBetween, type LocalDate } from '../../../kernel/calendar.ts';
import { toReais } from '../../../kernel/money.ts';
import type { ExportedDebtRow, FoundDebtRow } from '../queries/debt-search.ts';
import type { InboxReason } from '../rules/inbox-reasons.ts';
import { type DebtView, debtView } from './debt-view.ts';

/** A debt as searches and exports show it. */
export interface FoundDebt extends DebtView {
  readonly campaignName: string;
  readonly sandbox: boolean;
  /** Why a debt on hold waits for the client. */
  readonly holdReason: InboxReason | null;
  readonly nextContactAt: string | null;
  readonly promisedFor: string | null;
  readonly receiptProtocol: string | null;
}

export const foundDebt = (row: Omit<FoundDebtRow, 'createdAt' | 'nameKey'>): FoundDebt => ({
  ...debtView(row),
  campaignName: row.campaignName,
  sandbox: row.sandbox,
  holdReason: row.holdReason,
  nextContactAt: row.nextContactAt?.toISOString() ?? null,
  promisedFor: row.promisedFor,
  receiptProtocol: row.receiptProtocol,
});

/** A debt as an export has it. */
export interface ExportedDebt extends FoundDebt {
  /** What has come and was not given back, in reais; null when nothing ever came. */
  readonly paidAmount: number | null;
  readonly paidAt: Date | null;
  /** Days since the due date of a debt that is still to be paid; null for others. */
  readonly daysLate: number | null;
  readonly lastContactAt: Date | null;
}

export function exportedDebt(row: ExportedDebtRow, today: LocalDate): ExportedDebt {
  const isOpen = row.status !== 'PAID' && row.status !== 'STOPPED';
  return {
    ...foundDebt(row),
    paidAmount: row.paidCentavos === null ? null : toReais(row.paidCentavos),
    paidAt: row.paidAt,
    daysLate: isOpen ? Math.max(0, daysBetween(row.dueDate, today)) : null,
    lastContactAt: row.lastContactAt,
  };
}
