import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../kernel/errors.ts';
import { kindOfProtocol } from '../../../kernel/protocol.ts';
import type { PreparedQuery } from '../../../platform/database/queries/builder.ts';
import type { ReceiptDeps } from './deps.ts';
import { drawReceipts } from './issue-receipt.ts';
import { DRAWING_WAIT } from './lease-receipts.ts';
import { readPaymentOfReceipt } from './read-settled-payments.ts';

export interface SignedRequest {
  readonly protocol: string;
  /** The value of the query parameter, not validated yet. */
  readonly signature: unknown;
}

export type ReadDeps = Pick<ReceiptDeps, 'db' | 'now' | 'policy' | 'receiptLinks' | 'renderer'>;

interface StoredReceipt {
  readonly clientId: string;
  readonly outdated: boolean;
}

type ReceiptQuery<Row extends object> = PreparedQuery<{ readonly protocol: string }, Row>;

/** Verifies the signature of a receipt's link before anything is looked up, and reads the receipt by `query`. */
export async function openSignedReceipt<Row extends StoredReceipt>(
  deps: ReadDeps,
  { protocol, signature }: SignedRequest,
  query: ReceiptQuery<Row>,
): Promise<Row> {
  if (!deps.receiptLinks.isSigned('QT', protocol, signature)) throw new AppError('signature_invalid');
  if (kindOfProtocol(protocol) !== 'QT') throw new AppError('not_found');
  const row = await readCurrentReceipt(deps, protocol, query);
  if (row === undefined) throw new AppError('not_found');
  return row;
}

/** Reads an issued receipt by `query`. One that was revoked since it was drawn is drawn again first. */
export async function readCurrentReceipt<Row extends StoredReceipt>(
  deps: ReadDeps,
  protocol: string,
  query: ReceiptQuery<Row>,
): Promise<Row | undefined> {
  for (const deadline = performance.now() + DRAWING_WAIT.maxMs; ; await pause(DRAWING_WAIT.pollMs)) {
    const [row] = await deps.db.readPrepared({ receiptProtocol: protocol }, query, { protocol });
    if (row === undefined || !row.outdated) return row;
    if (performance.now() > deadline) {
      throw new AppError('unavailable', { detail: 'The receipt is being drawn.', retryAfterSeconds: 5 });
    }
    await redraw(deps, row.clientId, protocol);
  }
}

/** Draws a receipt again that was revoked since it was drawn, so that the document states the revocation. */
async function redraw(deps: ReadDeps, clientId: string, protocol: string): Promise<void> {
  const payment = await deps.db.tenant(clientId).transactional((tx) => readPaymentOfReceipt(tx, deps, protocol));
  if (payment === null) return;
  await drawReceipts(deps, { clientId, payments: [payment], redrawOlderThan: null, actor: 'system' });
}
