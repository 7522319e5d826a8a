import { randomBytes, randomUUID } from 'node:crypto';
import { makeProtocol, PROTOCOL_BYTES } from '../../../kernel/protocol.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { RenderedReceipt } from '../ports/receipt-renderer.ts';
import {
  chargesWithReceipt,
  type DrawnReceipt,
  insertLeasedReceipts,
  leaseKnownReceipts,
  storeDocuments,
} from '../queries/receipt-leases.ts';
import { CURRENT_TEMPLATE_VERSION } from '../texts/document/receipt-data.ts';
import type { ReceiptState, SettledPayment } from './read-settled-payments.ts';
import { type Revocation, revocationsOf } from './revocations.ts';

/** Longer than drawing a page of the slowest documents. After a crash, other processes may draw the receipts then. */
const LEASE_SECONDS = 60;

/** Another process draws a receipt in less than a second. If it crashed, its lease expires later than this wait. */
export const DRAWING_WAIT = { maxMs: 10_000, pollMs: 50 } as const;

export interface Leased {
  readonly payment: SettledPayment;
  readonly receipt: ReceiptState;
}

export interface LeaseRequest {
  readonly lease: string;
  readonly now: Date;
  /**
   * Draws current receipts again unless they were drawn after this moment, so that two such calls at once draw each one
   * once.
   */
  readonly redrawOlderThan: Date | null;
}

/**
 * Leases to this caller the receipts of these payments that have to be drawn. The others are current or leased
 * elsewhere.
 */
export async function leaseReceipts(
  tx: Tx,
  payments: readonly SettledPayment[],
  request: LeaseRequest,
): Promise<Leased[]> {
  const byId = new Map(payments.map((payment) => [payment.paymentId, payment]));
  const known = payments.filter(({ receipt }) => receipt !== null).map(({ paymentId }) => paymentId);
  const leased =
    known.length === 0
      ? []
      : await leaseKnownReceipts(tx, known, {
          lease: leaseOf(request),
          templateVersion: CURRENT_TEMPLATE_VERSION,
          redrawOlderThan: request.redrawOlderThan,
        });
  let missing = payments.filter(({ receipt }) => receipt === null);
  const revoked = missing.length === 0 ? new Map<string, Revocation>() : await revocationsOf(tx, missing);
  while (missing.length > 0) {
    const added = await leaseNew(tx, missing, revoked, request);
    leased.push(...added);
    if (added.length === missing.length) break;
    const paymentIds = missing.map(({ paymentId }) => paymentId);
    const leasedPayments = new Set((await chargesWithReceipt(tx, paymentIds)).map(({ chargeId }) => chargeId));
    // A payment that still has no receipt got a protocol that was taken, so it gets another one.
    missing = missing.filter(({ paymentId }) => !leasedPayments.has(paymentId));
  }
  return leased.flatMap(({ paymentId, ...receipt }) => {
    const payment = byId.get(paymentId);
    return payment === undefined ? [] : [{ payment, receipt }];
  });
}

const leaseOf = ({ lease }: LeaseRequest) => ({ id: lease, seconds: LEASE_SECONDS });

function leaseNew(
  tx: Tx,
  missing: readonly SettledPayment[],
  revoked: ReadonlyMap<string, Revocation>,
  request: LeaseRequest,
) {
  const issuedAt = request.now;
  const receipts = missing.map(({ clientId, debtId, paymentId, kind, facts }) => ({
    id: randomUUID(),
    clientId,
    debtId,
    chargeId: paymentId,
    kind,
    protocol: makeProtocol('QT', issuedAt.getUTCFullYear(), randomBytes(PROTOCOL_BYTES)),
    facts,
    revokedAt: revoked.get(paymentId)?.at ?? null,
    revokedReason: revoked.get(paymentId)?.reason ?? null,
  }));
  return insertLeasedReceipts(tx, receipts, { lease: leaseOf(request), issuedAt });
}

export interface Drawn {
  readonly id: string;
  readonly kind: SettledPayment['kind'];
  readonly facts: SettledPayment['facts'];
  readonly rendered: RenderedReceipt;
}

const documentOf = ({ id, kind, facts, rendered: { bytes, sha256 } }: Drawn): DrawnReceipt => ({
  id,
  kind,
  facts,
  sha256,
  pdf: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
});

/** Stores the documents of receipts that are still leased, and returns these receipts. */
export const storeDrawn = (
  tx: Tx,
  lease: string,
  drawn: readonly Drawn[],
  actor: 'client' | 'system',
): ReturnType<typeof storeDocuments> =>
  storeDocuments(tx, drawn.map(documentOf), { leaseId: lease, templateVersion: CURRENT_TEMPLATE_VERSION, actor });
