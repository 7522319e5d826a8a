import { setTimeout as pause } from 'node:timers/promises';
import type { ReceiptFacts, RevokedReason } from '../../db/entities/receipt.ts';
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

interface FileRow {
  readonly clientId: string;
  readonly outdated: boolean;
  readonly sha256: string;
  /** Null when the receipt was shortened. */
  readonly pdf: Buffer | null;
}

const ISSUED = '(pdf is not null or shortened_at is not null)';
const FILE = {
  name: 'receipt_file',
  text: `select client_id as "clientId", outdated, sha256, pdf from receipts where protocol = $1 and ${ISSUED}`,
};
const VERIFY = {
  name: 'receipt_verify',
  text: `
    select protocol, client_id as "clientId", outdated,
      coalesce(sha256, facts #>> '{document,sha256}') as sha256, issued_at as "issuedAt", revoked_at as "revokedAt",
      revoked_reason as "revokedReason", facts, shortened_at as "shortenedAt"
    from receipts where protocol = $1 and ${ISSUED}`,
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
    const { pdf, sha256 } = await readSigned<FileRow>(deps, request, FILE);
    if (pdf === null) throw new AppError('not_found', { detail: SHORTENED });
    return { protocol: request.protocol, pdf, sha256 };
  };

/** Returns the facts that the public verification page confirms. The page masks personal data. */
export const verifyReceipt =
  (deps: ReadDeps) =>
  async (request: SignedRequest): Promise<VerifiedReceipt> => {
    const row = await readSigned<Omit<VerifiedReceipt, 'downloadUrl'> & FileRow>(deps, request, VERIFY);
    const { protocol, sha256, issuedAt, revokedAt, revokedReason, facts, shortenedAt } = row;
    const downloadUrl = deps.receiptLinks.downloadUrl(protocol);
    return { protocol, sha256, issuedAt, revokedAt, revokedReason, facts, shortenedAt, downloadUrl };
  };

async function readSigned<Row extends Pick<FileRow, 'clientId' | 'outdated'>>(
  deps: ReadDeps,
  { protocol, signature }: SignedRequest,
  query: { readonly name: string; readonly text: string },
): Promise<Row> {
  if (!deps.receiptLinks.isSigned(protocol, signature)) throw new AppError('signature_invalid');
  if (!isProtocol(protocol)) throw new AppError('not_found');
  for (const deadline = Date.now() + MAX_WAIT_MS; ; await pause(POLL_MS)) {
    const [row] = await deps.db.read<Row>({ receiptProtocol: protocol }, query, [protocol]);
    if (row === undefined) throw new AppError('not_found');
    if (!row.outdated) return row;
    if (Date.now() > deadline) {
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
