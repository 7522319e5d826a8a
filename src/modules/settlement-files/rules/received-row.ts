import type { LocalDate } from '../../../kernel/calendar.ts';
import type { PaymentMethod } from '../../../kernel/payment-methods.ts';

/** One payment that a file tells of, as the file says it. */
export interface ReceivedRow {
  /** The line or record of the file, from 1. */
  readonly row: number;
  readonly invoiceId: string | null;
  /** The bank's number of a boleto. */
  readonly ourNumber: string | null;
  /** CPF or CNPJ without punctuation. */
  readonly taxId: string | null;
  readonly txid: string | null;
  readonly endToEndId: string | null;
  /** Free text of a statement, in which an invoice may stand. */
  readonly memo: string | null;
  /** What the source itself calls the transaction, as FITID of an OFX file with its account. */
  readonly sourceId: string | null;
  readonly amountCentavos: number;
  readonly paidOn: LocalDate;
  readonly method: PaymentMethod | null;
}
/** A row that is no payment. `code` is a problem code of the API. */
export interface UnreadableRow {
  readonly row: number;
  readonly code: string;
}
export type FileRow = ReceivedRow | UnreadableRow;
export interface FileColumns {
  readonly invoiceId?: string;
  readonly cpf?: string;
  readonly paidAt?: string;
  readonly amount?: string;
  readonly method?: string;
}
export type ReadFile =
  | { readonly kind: 'read'; readonly rows: readonly FileRow[] }
  | { readonly kind: 'unreadable'; readonly code: string };
