import { Readable } from 'node:stream';
import type { ReceiptKind } from '../../../kernel/receipt-kinds.ts';
import { statisticsTime } from '../../../kernel/statistics-day.ts';
import { csvOf } from '../../../platform/spreadsheets/csv.ts';
import { streamZip, type ZipEntry } from '../../../platform/spreadsheets/stream-zip.ts';
import type { Table } from '../../../platform/spreadsheets/table.ts';

/** A receipt of an archive, as its list names it. */
interface ReceiptRow {
  readonly protocol: string;
  readonly kind: ReceiptKind;
  readonly issuedAt: Date;
  readonly debtorName: string;
  readonly invoiceId: string | null;
  readonly amount: number;
  readonly isRevoked: boolean;
  readonly sandbox: boolean;
  /** The path of its document in the archive; null when there is none. */
  readonly path: string | null;
}

const KIND_NAMES: Readonly<Record<ReceiptKind, string>> = {
  settlement: 'Termo de quitação',
  part: 'Pagamento parcial',
  instalment: 'Parcela',
};

/** The moment of issue is by the clock of São Paulo. */
const RECEIPTS_TABLE: Table<ReceiptRow> = {
  name: 'Recibos',
  columns: [
    { header: 'Recibo', width: 20, kind: 'text', value: (row) => row.protocol },
    { header: 'Tipo', width: 20, kind: 'text', value: ({ kind }) => KIND_NAMES[kind] },
    { header: 'Emitido em', width: 12, kind: 'date', value: ({ issuedAt }) => statisticsTime(issuedAt.getTime()).date },
    { header: 'Devedor', width: 32, kind: 'text', value: (row) => row.debtorName },
    { header: 'Fatura', width: 16, kind: 'text', value: (row) => row.invoiceId },
    { header: 'Valor', width: 14, kind: 'money', value: (row) => row.amount },
    { header: 'Situação', width: 12, kind: 'text', value: ({ isRevoked }) => (isRevoked ? 'Revogado' : 'Válido') },
    { header: 'Teste', width: 8, kind: 'text', value: ({ sandbox }) => (sandbox ? 'TESTE' : null) },
    { header: 'Arquivo', width: 32, kind: 'text', value: (row) => row.path },
  ],
};

interface Receipt extends Omit<ReceiptRow, 'path'> {
  readonly pdf: Buffer | null;
}

const LIST = 'recibos.csv';

/** The documents, those of the sandbox in a folder of their own, and behind them the list of all receipts. */
async function* entriesOf(receipts: AsyncIterable<Receipt>): AsyncGenerator<ZipEntry> {
  const rows: ReceiptRow[] = [];
  for await (const { pdf, ...receipt } of receipts) {
    const path = pdf === null ? null : `${receipt.sandbox ? 'teste/' : ''}${receipt.protocol}.pdf`;
    rows.push({ ...receipt, path });
    if (pdf === null || path === null) continue;
    yield { path, content: Readable.from([pdf]), compress: false, mtime: receipt.issuedAt };
  }
  yield { path: LIST, content: csvOf(RECEIPTS_TABLE, inOnePortion(rows)), compress: true };
}

async function* inOnePortion(rows: readonly ReceiptRow[]): AsyncGenerator<readonly ReceiptRow[]> {
  yield rows;
}

/** Writes a ZIP while its receipts arrive: the next one is asked for when the one before has been written. */
export const receiptsArchive = (receipts: AsyncIterable<Receipt>): Readable => streamZip(entriesOf(receipts));
