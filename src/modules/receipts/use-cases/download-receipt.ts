import { AppError } from '../../../kernel/errors.ts';
import type { ReceiptKind } from '../../../kernel/receipt-kinds.ts';
import { RECEIPT_FILE } from '../queries/receipts.ts';
import { openSignedReceipt, type ReadDeps, type SignedRequest } from './open-signed-receipt.ts';

export interface ReceiptFile {
  readonly protocol: string;
  readonly kind: ReceiptKind;
  readonly pdf: Buffer;
  readonly sha256: string;
}

const SHORTENED =
  'The document of this receipt is no longer kept: its debtor had it erased, and the legal duty to keep it has ended. The verification page still confirms the protocol.';

/** Returns exactly the stored bytes. The signature is verified before anything is looked up. */
export const downloadReceipt =
  (deps: ReadDeps) =>
  async (request: SignedRequest): Promise<ReceiptFile> => {
    const { kind, pdf, sha256 } = await openSignedReceipt(deps, request, RECEIPT_FILE);
    // A shortened receipt has neither.
    if (pdf === null || sha256 === null) throw new AppError('not_found', { detail: SHORTENED });
    return { protocol: request.protocol, kind, pdf, sha256 };
  };
