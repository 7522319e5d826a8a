import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../kernel/errors.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { lockDebts } from '../../debts/use-cases/debt-context.ts';
import { recordEach } from '../../debts/use-cases/record-entries.ts';
import { ReceiptRenderError } from '../ports/receipt-renderer.ts';
import { releaseLeases } from '../queries/receipt-leases.ts';
import { CURRENT_TEMPLATE_VERSION, type ReceiptData } from '../texts/document/receipt-data.ts';
import type { ReceiptDeps } from './deps.ts';
import { DRAWING_WAIT, type Drawn, type Leased, leaseReceipts, storeDrawn } from './lease-receipts.ts';
import {
  type ReceiptState,
  readInstalmentsWithoutReceipt,
  readPartsWithoutReceipt,
  readSettledPaymentOfDebt,
  type SettledPayment,
} from './read-settled-payments.ts';
import { correctBeforeIssue } from './revocations.ts';

export interface IssuedReceipt {
  readonly paymentId: string;
  readonly debtId: string;
  readonly receipt: ReceiptState & { readonly templateVersion: number };
  readonly facts: SettledPayment['facts'];
  /** True when this call has issued the receipt. */
  readonly isNew: boolean;
}

/**
 * Issues the receipts of the parts of a debt. One that cannot be drawn now is left out, because nothing waits for it:
 * `wakeForMissingReceipts` makes up for it.
 */
export async function issuePartReceipts(
  deps: IssueDeps,
  { clientId, debtId }: { readonly clientId: string; readonly debtId: string },
): Promise<void> {
  const payments = await deps.db.tenant(clientId).transactional((tx) => readPartsWithoutReceipt(tx, deps, debtId));
  if (payments.length > 0) await drawReceipts(deps, { clientId, payments, redrawOlderThan: null, actor: 'system' });
}

/** Issues the receipts of an agreement's payments, as those of parts. Nothing is issued twice. */
export async function issueInstalmentReceipts(
  deps: IssueDeps,
  { clientId, agreementId }: { readonly clientId: string; readonly agreementId: string },
): Promise<void> {
  const payments = await deps.db
    .tenant(clientId)
    .transactional((tx) => readInstalmentsWithoutReceipt(tx, deps, agreementId));
  if (payments.length > 0) await drawReceipts(deps, { clientId, payments, redrawOlderThan: null, actor: 'system' });
}

export type IssueDeps = Pick<ReceiptDeps, 'db' | 'now' | 'policy' | 'receiptLinks' | 'renderer'>;

/**
 * Returns the receipt of the payment that settled the debt, and draws it when there is none yet. Concurrent calls draw
 * it once. Returns null when the debt is not settled.
 */
export const issueReceipt =
  (deps: IssueDeps) =>
  async (request: { readonly clientId: string; readonly debtId: string }): Promise<IssuedReceipt | null> => {
    const { clientId, debtId } = request;
    const lease = randomUUID();
    for (const deadline = performance.now() + DRAWING_WAIT.maxMs; ; await pause(DRAWING_WAIT.pollMs)) {
      const { payment, leased } = await deps.db.tenant(clientId).transactional(async (tx) => {
        const found = await readSettledPaymentOfDebt(tx, deps, debtId);
        if (found === null || isIssued(found.receipt)) return { payment: found, leased: [] };
        const asked = { lease, now: deps.now(), redrawOlderThan: null };
        return { payment: found, leased: await leaseReceipts(tx, [found], asked) };
      });
      if (payment === null) return null;
      const { paymentId, facts } = payment;
      if (isIssued(payment.receipt)) return { paymentId, debtId, facts, isNew: false, receipt: payment.receipt };
      const { issued, failed } = await drawLeased(deps, { clientId, actor: 'system' }, lease, leased);
      const [failure] = failed;
      if (failure !== undefined) {
        if (failure.code === 'bad_data')
          throw new Error(`The receipt of payment ${paymentId} cannot be drawn: ${failure.message}`);
        throw new AppError('unavailable', { detail: 'The receipt could not be drawn just now.', retryAfterSeconds: 5 });
      }
      const [drawn] = leased;
      if (issued.length > 0 && drawn !== undefined) {
        const receipt = { ...drawn.receipt, templateVersion: CURRENT_TEMPLATE_VERSION };
        return { paymentId, debtId, facts, isNew: true, receipt };
      }
      if (performance.now() > deadline) {
        throw new AppError('unavailable', { detail: 'The receipt is being drawn.', retryAfterSeconds: 5 });
      }
    }
  };

/** One that was revoked or restored since it was drawn is drawn again, so that its document says so. */
const isIssued = (receipt: ReceiptState | null): receipt is IssuedReceipt['receipt'] =>
  receipt !== null && receipt.templateVersion !== null && !receipt.outdated;

export interface DrawFailure {
  readonly paymentId: string;
  /** Null when the receipt was never issued. */
  readonly protocol: string | null;
  readonly code: 'bad_data' | 'crashed' | 'timed_out' | 'unavailable';
  readonly message: string;
}

export interface DrawResult {
  /** Payments whose receipts this call drew and stored. */
  readonly stored: readonly string[];
  /** Those of `stored` that had no receipt before. */
  readonly issued: readonly string[];
  readonly failed: DrawFailure[];
}

export interface DrawRequest {
  readonly clientId: string;
  readonly payments: readonly SettledPayment[];
  readonly redrawOlderThan: Date | null;
  readonly actor: 'client' | 'system';
}

/** Receipts of one part are stored together, while the next part is drawn. */
const STORED_AT_ONCE = 25;

/** Draws those receipts of these payments that have to be drawn and that no other process is drawing. */
export async function drawReceipts(deps: IssueDeps, request: DrawRequest): Promise<DrawResult> {
  const { clientId, payments, redrawOlderThan } = request;
  const lease = randomUUID();
  const leased = await deps.db
    .tenant(clientId)
    .transactional((tx) => leaseReceipts(tx, payments, { lease, now: deps.now(), redrawOlderThan }));
  return drawLeased(deps, request, lease, leased);
}

/** Draws outside of any transaction, because drawing takes longer than a lock should be held. */
async function drawLeased(
  deps: IssueDeps,
  request: Pick<DrawRequest, 'clientId' | 'actor'>,
  lease: string,
  leased: readonly Leased[],
): Promise<DrawResult> {
  const parts: Leased[][] = [];
  for (let start = 0; start < leased.length; start += STORED_AT_ONCE) {
    parts.push(leased.slice(start, start + STORED_AT_ONCE));
  }
  const results = await Promise.all(parts.map((part) => drawPart(deps, request, lease, part)));
  return {
    stored: results.flatMap(({ stored }) => stored),
    issued: results.flatMap(({ issued }) => issued),
    failed: results.flatMap(({ failed }) => failed),
  };
}

async function drawPart(
  deps: IssueDeps,
  { clientId, actor }: Pick<DrawRequest, 'clientId' | 'actor'>,
  lease: string,
  part: readonly Leased[],
): Promise<DrawResult> {
  const drawn: Drawn[] = [];
  const failed: DrawFailure[] = [];
  await Promise.all(
    part.map(async (leased) => {
      try {
        const rendered = await deps.renderer.render(dataOf(deps, leased));
        const { kind, facts } = leased.payment;
        drawn.push({ id: leased.receipt.id, kind, facts, rendered });
      } catch (error) {
        failed.push(failureOf(leased, error));
      }
    }),
  );
  const byId = new Map(part.map((leased) => [leased.receipt.id, leased]));
  const stored = await deps.db.tenant(clientId).transactional(async (tx) => {
    const first = part.filter(({ receipt }) => receipt.templateVersion === null);
    if (first.length > 0) {
      await lockDebts(
        tx,
        first.map(({ payment }) => payment.debtId),
      );
      await correctBeforeIssue(tx, first, deps.now());
    }
    if (failed.length > 0) await releaseLeases(tx, lease, failedIdsOf(failed, part));
    const rows = await storeDrawn(tx, lease, drawn, actor);
    const done = rows.flatMap(({ id, issued }) => ({ issued, leased: byId.get(id)! }));
    const now = deps.now().getTime();
    const issued = done.filter((one) => one.issued).map(({ leased }) => leased);
    await recordEach(
      tx,
      issued.map(({ payment: { debtId, paymentId, kind, clockOffsetMs }, receipt: { protocol } }) => ({
        debtId,
        at: debtNow(clockOffsetMs, now),
        entry: {
          kind: 'receipt_issued',
          protocol,
          paymentId,
          ...(kind === 'settlement' ? {} : { receipt: kind }),
        },
      })),
    );
    return done;
  });
  const paymentIdOf = ({ leased }: { leased: Leased }): string => leased.payment.paymentId;
  return {
    stored: stored.map(paymentIdOf),
    issued: stored.filter(({ issued }) => issued).map(paymentIdOf),
    failed,
  };
}

const failedIdsOf = (failed: readonly DrawFailure[], part: readonly Leased[]): string[] => {
  const failedPayments = new Set(failed.map(({ paymentId }) => paymentId));
  return part.filter(({ payment }) => failedPayments.has(payment.paymentId)).map(({ receipt }) => receipt.id);
};

function dataOf({ receiptLinks }: Pick<IssueDeps, 'receiptLinks'>, { payment, receipt }: Leased): ReceiptData {
  const { kind, facts, debtId } = payment;
  return {
    templateVersion: CURRENT_TEMPLATE_VERSION,
    kind,
    protocol: receipt.protocol,
    issuedAt: receipt.issuedAt,
    sandbox: facts.sandbox,
    revokedAt: receipt.revokedAt,
    revokedReason: receipt.revokedReason,
    restoredAt: receipt.restoredAt,
    creditor: facts.creditor,
    debtor: facts.debtor,
    debt: { ...facts.debt, id: debtId, description: facts.debt.description ?? null },
    payment: {
      ...facts.payment,
      paidAt: new Date(facts.payment.paidAt),
      method: facts.payment.method ?? 'pix',
      earlier: facts.payment.earlier?.map((part) => ({ ...part, paidAt: new Date(part.paidAt) })) ?? [],
    },
    verifyUrl: receiptLinks.verifyUrl(receipt.protocol),
    utcOffset: facts.utcOffset,
  };
}

function failureOf({ payment, receipt }: Leased, error: unknown): DrawFailure {
  const about = {
    paymentId: payment.paymentId,
    protocol: receipt.templateVersion === null ? null : receipt.protocol,
  };
  if (error instanceof ReceiptRenderError) return { ...about, code: error.failure, message: error.message };
  if (error instanceof AppError) return { ...about, code: 'unavailable', message: error.message };
  throw error;
}
