import type { PaymentMethod } from '../../../kernel/payment-methods.ts';
import type { OutgoingDocument } from '../../../kernel/ports/outgoing.ts';
import type { ReceiptKind } from '../../../kernel/receipt-kinds.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { pageOfPerson, rightsUrl } from '../../debts/use-cases/rights-link.ts';
import { receiptToDeliver } from '../queries/receipts.ts';
import type { ReceiptDeps } from './deps.ts';

/** The content and the recipient of a delivery. */
export interface ReceiptLetter {
  readonly debt: DebtContext;
  readonly debtorEmail: string | null;
  readonly protocol: string;
  readonly paidCentavos: number;
  /** Null when several payments made up the amount. */
  readonly method: PaymentMethod | null;
  readonly document: OutgoingDocument;
  readonly verifyUrl: string;
  readonly rightsUrl: string | null;
}

const FILE_NAMES: Readonly<Record<ReceiptKind, string>> = {
  settlement: 'termo-de-quitacao',
  part: 'recibo-parcial',
  instalment: 'recibo-de-acordo',
};

/** Only the Termo is sent; the receipts of parts and instalments are downloaded. */
export const receiptFilename = (protocol: string, kind: ReceiptKind = 'settlement'): string =>
  `${FILE_NAMES[kind]}-${protocol}.pdf`;

export async function readLetter(
  tx: Tx,
  { receiptLinks, publicUrl }: Pick<ReceiptDeps, 'receiptLinks' | 'publicUrl'>,
  debt: DebtContext,
  receiptId: string,
): Promise<ReceiptLetter | null> {
  const receipt = await receiptToDeliver(tx, receiptId);
  if (receipt === undefined) return null;
  const { protocol, pdf, debtorEmail, paidCentavos, method } = receipt;
  const pageId = debt.wrongPerson ? null : await pageOfPerson(tx, debt);
  return {
    debt,
    debtorEmail,
    protocol,
    paidCentavos,
    method,
    document: {
      filename: receiptFilename(protocol),
      contentType: 'application/pdf',
      content: pdf,
      url: receiptLinks.downloadUrl(protocol),
    },
    verifyUrl: receiptLinks.verifyUrl(protocol),
    rightsUrl: pageId === null ? null : rightsUrl(publicUrl, pageId),
  };
}
