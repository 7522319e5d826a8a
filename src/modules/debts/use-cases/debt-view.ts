import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { toReais } from '../../../kernel/money.ts';
import { isCnpj } from '../../../kernel/tax-id.ts';
import type { ListedDebt } from '../queries/debt-lists.ts';

export interface DebtView {
  readonly id: string;
  readonly campaignId: string;
  readonly status: DebtStatus;
  readonly score: number | null;
  readonly debtorName: string;
  /** The phone in use. */
  readonly debtorPhone: string;
  readonly debtorPhones: string[];
  /** Null for a company. */
  readonly debtorCpf: string | null;
  /** Null for a person. */
  readonly debtorCnpj: string | null;
  readonly debtorEmail: string | null;
  readonly debtorEmails: string[];
  readonly originalAmount: number;
  readonly dueDate: string;
  readonly invoiceId: string | null;
  readonly consentAt: string | null;
  readonly consentSource: string | null;
  readonly description: string | null;
}

/** An erased debt has no phone, and many debts have no e-mail address. */
const withoutEmpty = (value: string | null): string[] => (value === null || value === '' ? [] : [value]);

export const debtView = (row: ListedDebt): DebtView => ({
  id: row.id,
  campaignId: row.campaignId,
  status: row.status,
  score: row.score,
  debtorName: row.debtorName,
  debtorPhone: row.debtorPhone,
  debtorPhones: row.phones.length > 0 ? row.phones : withoutEmpty(row.debtorPhone),
  debtorCpf: isCnpj(row.debtorTaxId) ? null : row.debtorTaxId,
  debtorCnpj: isCnpj(row.debtorTaxId) ? row.debtorTaxId : null,
  debtorEmail: row.debtorEmail,
  debtorEmails: row.debtorEmails?.slice() ?? withoutEmpty(row.debtorEmail),
  originalAmount: toReais(row.originalAmountCentavos),
  dueDate: row.dueDate,
  invoiceId: row.invoiceId,
  consentAt: row.consentAt,
  consentSource: row.consentSource,
  description: row.description,
});
