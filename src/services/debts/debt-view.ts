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

export interface DebtColumns {
  readonly id: string;
  readonly campaign_id: string;
  readonly position: number;
  readonly status: DebtStatus;
  readonly score: number | null;
  readonly debtor_name: string;
  readonly debtor_phone: string;
  readonly debtor_cpf: string;
  readonly debtor_email: string | null;
  readonly original_amount_centavos: number;
  readonly due_date: string;
  readonly invoice_id: string | null;
}

export const DEBT_COLUMNS = [
  'id',
  'campaign_id',
  'position',
  'status',
  'score',
  'debtor_name',
  'debtor_phone',
  'debtor_cpf',
  'debtor_email',
  'original_amount_centavos',
  'due_date',
  'invoice_id',
] as const;

export const debtView = (row: DebtColumns): DebtView => ({
  id: row.id,
  campaignId: row.campaign_id,
  status: row.status,
  score: row.score,
  debtorName: row.debtor_name,
  debtorPhone: row.debtor_phone,
  debtorCpf: row.debtor_cpf,
  debtorEmail: row.debtor_email,
  originalAmount: toReais(row.original_amount_centavos),
  dueDate: row.due_date,
  invoiceId: row.invoice_id,
});
