import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { statisticsTime } from '../../../kernel/statistics-day.ts';
import { offsetOfPhone, phoneCell, taxIdCell, wallTime } from '../../../platform/spreadsheets/cells.ts';
import type { Table } from '../../../platform/spreadsheets/table.ts';
import { COMPONENT_NAMES } from '../../terms/texts/components.ts';
import type { InboxReason } from '../rules/inbox-reasons.ts';
import { REASON_NAMES, STATUS_NAMES } from './names.ts';

/** What a row of the table says of one debt. */
export interface DebtRow {
  readonly campaignName: string;
  readonly debtorName: string;
  readonly debtorCpf: string | null;
  readonly debtorCnpj: string | null;
  readonly debtorPhones: readonly string[];
  readonly debtorPhone: string;
  readonly debtorEmails: readonly string[];
  readonly originalAmount: number;
  readonly dueDate: string;
  readonly invoiceId: string | null;
  readonly description: string | null;
  readonly status: DebtStatus;
  readonly holdReason: InboxReason | null;
  readonly promisedFor: string | null;
  readonly nextContactAt: string | null;
  readonly score: number | null;
  readonly receiptProtocol: string | null;
  /** What is open today; null for a row that a later import has replaced. */
  readonly principal: number | null;
  readonly fine: number | null;
  readonly interest: number | null;
  readonly correction: number | null;
  readonly owedToday: number | null;
  readonly paidAmount: number | null;
  readonly paidAt: Date | null;
  readonly daysLate: number | null;
  readonly lastContactAt: Date | null;
  readonly agreementProtocol: string | null;
  readonly nextInstalmentOn: string | null;
  readonly agreedRest: number | null;
  readonly sandbox: boolean;
  readonly id: string;
}

/** The debts of a search, for the client's staff. The first columns have the headers that an import understands. */
export const DEBTS_TABLE: Table<DebtRow> = {
  name: 'Dívidas',
  columns: [
    { header: 'Campanha', width: 24, kind: 'text', value: (row) => row.campaignName },
    { header: 'Nome', width: 32, kind: 'text', value: (row) => row.debtorName },
    { header: 'CPF', width: 16, kind: 'text', value: (row) => taxIdCell(row.debtorCpf) },
    { header: 'CNPJ', width: 20, kind: 'text', value: (row) => taxIdCell(row.debtorCnpj) },
    { header: 'Telefone', width: 17, kind: 'text', value: (row) => phoneCell(row.debtorPhone) },
    {
      header: 'Outros telefones',
      width: 20,
      kind: 'text',
      value: ({ debtorPhones, debtorPhone }) =>
        debtorPhones
          .filter((phone) => phone !== debtorPhone)
          .map(phoneCell)
          .join(', '),
    },
    { header: 'E-mail', width: 28, kind: 'text', value: (row) => row.debtorEmails.join(', ') },
    { header: 'Valor', width: 14, kind: 'money', value: (row) => row.originalAmount },
    { header: 'Vencimento', width: 12, kind: 'date', value: (row) => row.dueDate },
    { header: 'Fatura', width: 16, kind: 'text', value: (row) => row.invoiceId },
    { header: 'Descrição', width: 32, kind: 'text', value: (row) => row.description },
    { header: 'Situação', width: 20, kind: 'text', value: (row) => STATUS_NAMES[row.status] },
    {
      header: 'Motivo da espera',
      width: 24,
      kind: 'text',
      value: ({ holdReason }) => (holdReason === null ? null : REASON_NAMES[holdReason]),
    },
    { header: 'Promessa para', width: 14, kind: 'date', value: (row) => row.promisedFor },
    {
      header: 'Próximo contato',
      width: 20,
      kind: 'moment',
      value: ({ nextContactAt, debtorPhone }) =>
        nextContactAt === null ? null : wallTime(new Date(nextContactAt), offsetOfPhone(debtorPhone)),
    },
    {
      header: 'Último contato',
      width: 20,
      kind: 'moment',
      value: ({ lastContactAt, debtorPhone }) =>
        lastContactAt === null ? null : wallTime(lastContactAt, offsetOfPhone(debtorPhone)),
    },
    { header: 'Dias de atraso', width: 14, kind: 'integer', value: (row) => row.daysLate },
    { header: 'Principal em aberto', width: 18, kind: 'money', value: (row) => row.principal },
    { header: COMPONENT_NAMES.fine, width: 12, kind: 'money', value: (row) => row.fine },
    { header: COMPONENT_NAMES.interest, width: 12, kind: 'money', value: (row) => row.interest },
    { header: COMPONENT_NAMES.correction, width: 12, kind: 'money', value: (row) => row.correction },
    { header: 'Total hoje', width: 14, kind: 'money', value: (row) => row.owedToday },
    { header: 'Valor pago', width: 14, kind: 'money', value: (row) => row.paidAmount },
    {
      header: 'Pago em',
      width: 12,
      kind: 'date',
      value: ({ paidAt }) => (paidAt === null ? null : statisticsTime(paidAt.getTime()).date),
    },
    { header: 'Acordo', width: 20, kind: 'text', value: (row) => row.agreementProtocol },
    { header: 'Próxima parcela', width: 16, kind: 'date', value: (row) => row.nextInstalmentOn },
    { header: 'Em aberto do acordo', width: 20, kind: 'money', value: (row) => row.agreedRest },
    { header: 'Pontuação', width: 11, kind: 'integer', value: (row) => row.score },
    { header: 'Recibo', width: 20, kind: 'text', value: (row) => row.receiptProtocol },
    { header: 'Teste', width: 8, kind: 'text', value: (row) => (row.sandbox ? 'Sim' : 'Não') },
    { header: 'Código', width: 38, kind: 'text', value: (row) => row.id },
  ],
};
