import type { ListedDebt } from '../../db/queries/debt-lists.ts';
import type { DebtStatus } from '../../domain/debt-status.ts';
import { toReais } from '../../domain/money.ts';

export interface DebtView {
  readonly id: string;
  readonly campaignId: string;
  readonly status: DebtStatus;
  readonly score: number | null;
  readonly debtorName: string;
  readonly debtorPhone: string;
  readonly debtorCpf: string;
  readonly debtorEmail: string | null;
  readonly originalAmount: number;
  readonly dueDate: string;
  readonly invoiceId: string | null;
}

export const debtView = (row: ListedDebt): DebtView => ({
  id: row.id,
  campaignId: row.campaignId,
  status: row.status,
  score: row.score,
  debtorName: row.debtorName,
  debtorPhone: row.debtorPhone,
  debtorCpf: row.debtorCpf,
  debtorEmail: row.debtorEmail,
  originalAmount: toReais(row.originalAmountCentavos),
  dueDate: row.dueDate,
  invoiceId: row.invoiceId,
});
