import type { PaymentMethod } from '../../../kernel/payment-methods.ts';
import { statisticsTime } from '../../../kernel/statistics-day.ts';
import { METHOD_NAMES } from '../../../kernel/texts/payment-methods.ts';
import { taxIdCell } from '../../../platform/spreadsheets/cells.ts';
import type { Table } from '../../../platform/spreadsheets/table.ts';
import { COMPONENT_NAMES, COMPONENTS_SHOWN } from '../../terms/texts/components.ts';

/** What a row of the table says of one payment, or of money that went back. */
export interface SettlementRow {
  readonly at: Date;
  readonly kind: 'paid' | 'refunded' | 'charged_back' | 'chargeback_reversed';
  readonly protocol: string | null;
  readonly debtorName: string;
  /** CPF or CNPJ. */
  readonly debtorTaxId: string;
  /** Of a payment by an agreement, those of all its debts. */
  readonly invoiceId: string | null;
  /** The protocol of the agreement by which the money came. */
  readonly agreementProtocol: string | null;
  readonly campaignName: string;
  readonly amount: number | null;
  readonly refunded: number | null;
  /** How a payment was credited; null for money that went back, and while an agreement holds it. */
  readonly principal: number | null;
  readonly fine: number | null;
  readonly interest: number | null;
  readonly correction: number | null;
  readonly method: PaymentMethod | null;
  readonly provider: string;
  readonly providerPaymentId: string | null;
  readonly endToEndId: string | null;
  readonly paymentId: string;
  /** Simulated money, which nobody books. */
  readonly sandbox: boolean;
}

const KIND_NAMES: Readonly<Record<SettlementRow['kind'], string>> = {
  paid: 'Pagamento',
  refunded: 'Devolução',
  charged_back: 'Estorno por contestação',
  chargeback_reversed: 'Estorno revertido',
};

/** For the accountant, who needs the whole CPF. Moments are by the clock of São Paulo. */
export const SETTLEMENTS_TABLE: Table<SettlementRow> = {
  name: 'Baixas',
  columns: [
    { header: 'Data', width: 12, kind: 'date', value: ({ at }) => statisticsTime(at.getTime()).date },
    { header: 'Hora', width: 10, kind: 'text', value: ({ at }) => statisticsTime(at.getTime()).time },
    { header: 'Tipo', width: 22, kind: 'text', value: (row) => KIND_NAMES[row.kind] },
    { header: 'Recibo', width: 20, kind: 'text', value: (row) => row.protocol },
    { header: 'Devedor', width: 32, kind: 'text', value: (row) => row.debtorName },
    { header: 'CPF ou CNPJ', width: 20, kind: 'text', value: (row) => taxIdCell(row.debtorTaxId) },
    { header: 'Fatura', width: 16, kind: 'text', value: (row) => row.invoiceId },
    { header: 'Acordo', width: 20, kind: 'text', value: (row) => row.agreementProtocol },
    { header: 'Campanha', width: 24, kind: 'text', value: (row) => row.campaignName },
    { header: 'Valor recebido', width: 16, kind: 'money', value: (row) => row.amount },
    ...COMPONENTS_SHOWN.map((component) => ({
      header: COMPONENT_NAMES[component],
      width: 14,
      kind: 'money' as const,
      value: (row: SettlementRow) => row[component],
    })),
    { header: 'Valor devolvido', width: 16, kind: 'money', value: (row) => row.refunded },
    { header: 'Forma', width: 20, kind: 'text', value: (row) => METHOD_NAMES[row.method ?? 'pix'] },
    {
      header: 'Provedor',
      width: 14,
      kind: 'text',
      value: ({ provider }) => (provider === 'sandbox' ? 'Simulador' : provider),
    },
    { header: 'Pagamento no provedor', width: 24, kind: 'text', value: (row) => row.providerPaymentId },
    { header: 'Código Pix (E2E)', width: 34, kind: 'text', value: (row) => row.endToEndId },
    { header: 'Código do pagamento', width: 38, kind: 'text', value: (row) => row.paymentId },
    { header: 'Teste', width: 8, kind: 'text', value: (row) => (row.sandbox ? 'TESTE' : null) },
  ],
};
