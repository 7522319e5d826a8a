import { setTimeout as pause } from 'node:timers/promises';
import type { ReceiptFacts, RevokedReason } from '../../db/entities/receipt.ts';
import type { PreparedQuery } from '../../db/queries/builder.ts';
import { RECEIPT_FACTS, RECEIPT_FILE } from '../../db/queries/receipts.ts';
import { AppError } from '../../domain/errors.ts';
import { isProtocol } from '../../domain/receipt-protocol.ts';
import type { ReceiptDeps } from './deps.ts';
import { drawReceipts } from './draw-receipts.ts';
import { settledPaymentBehind } from './settled-payments.ts';

export interface SignedRequest {
  readonly protocol: string;
  /** The value of the query parameter, not validated yet. */
  readonly signature: unknown;
}

export interface ReceiptFile {
  readonly protocol: string;
  readonly pdf: Buffer;
  readonly sha256: string;
}

export interface VerifiedReceipt {
  readonly protocol: string;
  readonly sha256: string;
  readonly issuedAt: Date;
  readonly revokedAt: Date | null;
  readonly revokedReason: RevokedReason | null;
  readonly facts: VerifiedFacts;
  /**
   * Set when the debtor's data was erased after the duty to keep the document had ended. Nothing can be downloaded
   * then.
   */
  readonly shortenedAt: Date | null;
  readonly downloadUrl: string;
}

/** The facts that a shortened receipt still has. Any other receipt has the debtor too. */
export type VerifiedFacts = Pick<ReceiptFacts, 'sandbox' | 'creditor' | 'utcOffset'> & {
  readonly debtor?: ReceiptFacts['debtor'];
  readonly debt: Pick<ReceiptFacts['debt'], 'dueDate'>;
  readonly payment: Pick<ReceiptFacts['payment'], 'amountCentavos' | 'paidAt'>;
};

const SHORTENED =
  'The document of this receipt is no longer kept: its debtor had it erased, and the legal duty to keep it has ended. The verification page still confirms the protocol.';

/** The longest wait for another process that is drawing the receipt. */
const MAX_WAIT_MS = 10_000;
const POLL_MS = 50;

type ReadDeps = Pick<ReceiptDeps, 'db' | 'now' | 'receiptLinks' | 'renderer'>;

/** Returns exactly the stored bytes. The signature is verified before anything is looked up. */
export const downloadReceipt =
  (deps: ReadDeps) =>
  async (request: SignedRequest): Promise<ReceiptFile> => {
    const { pdf, sha256 } = await readSigned(deps, request, RECEIPT_FILE);
    // A shortened receipt has neither.
    if (pdf === null || sha256 === null) throw new AppError('not_found', { detail: SHORTENED });
    return { protocol: request.protocol, pdf, sha256 };
  };

/** Returns the facts that the public verification page confirms. The page masks personal data. */
export const verifyReceipt =
  (deps: ReadDeps) =>
  async (request: SignedRequest): Promise<VerifiedReceipt> => {
    const row = await readSigned(deps, request, RECEIPT_FACTS);
    const { protocol, sha256, issuedAt, revokedAt, revokedReason, facts, shortenedAt } = row;
    const downloadUrl = deps.receiptLinks.downloadUrl(protocol);
    return { protocol, sha256, issuedAt, revokedAt, revokedReason, facts, shortenedAt, downloadUrl };
  };

async function readSigned<Row extends { readonly clientId: string; readonly outdated: boolean }>(
  deps: ReadDeps,
  { protocol, signature }: SignedRequest,
  query: PreparedQuery<{ readonly protocol: string }, Row>,
): Promise<Row> {
  if (!deps.receiptLinks.isSigned(protocol, signature)) throw new AppError('signature_invalid');
  if (!isProtocol(protocol)) throw new AppError('not_found');
  for (const deadline = performance.now() + MAX_WAIT_MS; ; await pause(POLL_MS)) {
    const [row] = await deps.db.readPrepared({ receiptProtocol: protocol }, query, { protocol });
    if (row === undefined) throw new AppError('not_found');
    if (!row.outdated) return row;
    if (performance.now() > deadline) {
      throw new AppError('unavailable', { detail: 'The receipt is being drawn.', retryAfterSeconds: 5 });
    }
    await redraw(deps, row.clientId, protocol);
  }
}

/** Draws a receipt again that was revoked since it was drawn, so that the document states the revocation. */
async function redraw(deps: ReadDeps, clientId: string, protocol: string): Promise<void> {
  const payment = await deps.db.tenant(clientId).transactional((em) => settledPaymentBehind(em, protocol));
  if (payment === null) return;
  await drawReceipts(deps, { clientId, payments: [payment], redrawOlderThan: null, actor: 'system' });
}
