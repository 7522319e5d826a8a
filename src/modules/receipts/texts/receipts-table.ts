import { statisticsTime } from '../../../kernel/statistics-day.ts';
import type { Table } from '../../../platform/spreadsheets/table.ts';

/** A receipt of an archive, as its list names it. */
export interface ReceiptRow {
  readonly protocol: string;
  readonly issuedAt: Date;
  readonly debtorName: string;
  readonly invoiceId: string | null;
  readonly amount: number;
  readonly isRevoked: boolean;
  readonly sandbox: boolean;
  /** The path of its document in the archive; null when there is none. */
  readonly path: string | null;
}

/** The moment of issue is by the clock of São Paulo. */
export const RECEIPTS_TABLE: Table<ReceiptRow> = {
  name: 'Recibos',
  columns: [
    { header: 'Recibo', width: 20, kind: 'text', value: (row) => row.protocol },
    { header: 'Emitido em', width: 12, kind: 'date', value: ({ issuedAt }) => statisticsTime(issuedAt.getTime()).date },
    { header: 'Devedor', width: 32, kind: 'text', value: (row) => row.debtorName },
    { header: 'Fatura', width: 16, kind: 'text', value: (row) => row.invoiceId },
    { header: 'Valor', width: 14, kind: 'money', value: (row) => row.amount },
    { header: 'Situação', width: 12, kind: 'text', value: ({ isRevoked }) => (isRevoked ? 'Revogado' : 'Válido') },
    { header: 'Teste', width: 8, kind: 'text', value: ({ sandbox }) => (sandbox ? 'TESTE' : null) },
    { header: 'Arquivo', width: 32, kind: 'text', value: (row) => row.path },
  ],
};
