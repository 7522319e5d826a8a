import type { ReceiptKind } from '../../../kernel/receipt-kinds.ts';
import type { RevokedReason } from '../../../kernel/revoked-reasons.ts';
import { rightsUrlOfDebt } from '../../debts/use-cases/rights-link.ts';
import { RECEIPT_FACTS } from '../queries/receipts.ts';
import type { ReceiptFacts } from '../tables/receipt.ts';
import type { ReceiptDeps } from './deps.ts';
import { openSignedReceipt, type ReadDeps, type SignedRequest } from './open-signed-receipt.ts';

export interface VerifiedReceipt {
  readonly protocol: string;
  readonly kind: ReceiptKind;
  readonly sha256: string;
  readonly issuedAt: Date;
  readonly revokedAt: Date | null;
  readonly revokedReason: RevokedReason | null;
  /** When the revoked receipt became valid again. */
  readonly restoredAt: Date | null;
  readonly facts: VerifiedFacts;
  /**
   * Set when the debtor's data was erased after the duty to keep the document had ended. Nothing can be downloaded
   * then.
   */
  readonly shortenedAt: Date | null;
  readonly downloadUrl: string;
  /** The page of rights of the debtor; null once they were erased. */
  readonly rightsUrl: string | null;
}

/** The facts that a shortened receipt still has. Any other receipt has the debtor too. */
export type VerifiedFacts = Pick<ReceiptFacts, 'sandbox' | 'creditor' | 'utcOffset'> & {
  readonly debtor?: ReceiptFacts['debtor'];
  readonly debt: Pick<ReceiptFacts['debt'], 'dueDate'>;
  readonly payment: Pick<ReceiptFacts['payment'], 'amountCentavos' | 'paidAt' | 'provider'>;
};

/** Returns the facts that the public verification page confirms. The page masks personal data. */
export const verifyReceipt =
  (deps: ReadDeps & Pick<ReceiptDeps, 'publicUrl'>) =>
  async (request: SignedRequest): Promise<VerifiedReceipt> => {
    const row = await openSignedReceipt(deps, request, RECEIPT_FACTS);
    const { clientId, debtId, outdated: _outdated, ...shown } = row;
    return {
      ...shown,
      downloadUrl: deps.receiptLinks.downloadUrl(row.protocol),
      rightsUrl: await rightsUrlOfDebt(deps, { clientId, debtId }),
    };
  };
