import type { ExportedDebtRow } from '../../db/queries/debt-search.ts';
import type { InboxReason } from '../../domain/inbox-reasons.ts';
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

export const foundDebt = (row: ExportedDebtRow): FoundDebt => ({
  ...debtView(row),
  campaignName: row.campaignName,
  sandbox: row.sandbox,
  holdReason: row.holdReason,
  nextContactAt: row.nextContactAt?.toISOString() ?? null,
  promisedFor: row.promisedFor,
  receiptProtocol: row.receiptProtocol,
});
