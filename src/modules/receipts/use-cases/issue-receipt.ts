import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../kernel/errors.ts';
import type { ReceiptDeps } from './deps.ts';
import { drawReceipts } from './draw-receipts.ts';
import { DRAWING_WAIT } from './lease-receipts.ts';
import {
  type ReceiptState,
  readPartsWithoutReceipt,
  readSettledPaymentOfDebt,
  type SettledPayment,
} from './read-settled-payments.ts';

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

export type IssueDeps = Pick<ReceiptDeps, 'db' | 'now' | 'policy' | 'receiptLinks' | 'renderer'>;

/**
 * Returns the receipt of the payment that settled the debt, and draws it when there is none yet. Concurrent calls draw
 * it once. Returns null when the debt is not settled.
 */
export const issueReceipt =
  (deps: IssueDeps) =>
  async (request: { readonly clientId: string; readonly debtId: string }): Promise<IssuedReceipt | null> => {
    const { clientId, debtId } = request;
    const read = () => deps.db.tenant(clientId).transactional((tx) => readSettledPaymentOfDebt(tx, deps, debtId));
    let isNew = false;
    for (const deadline = performance.now() + DRAWING_WAIT.maxMs; ; ) {
      const payment = await read();
      if (payment === null) return null;
      const { receipt, paymentId, facts } = payment;
      if (receipt !== null && receipt.templateVersion !== null) {
        return { paymentId, debtId, facts, isNew, receipt: { ...receipt, templateVersion: receipt.templateVersion } };
      }
      const { issued, failed } = await drawReceipts(deps, {
        clientId,
        payments: [payment],
        redrawOlderThan: null,
        actor: 'system',
      });
      const [failure] = failed;
      if (failure !== undefined) {
        if (failure.code === 'bad_data')
          throw new Error(`The receipt of payment ${paymentId} cannot be drawn: ${failure.message}`);
        throw new AppError('unavailable', { detail: 'The receipt could not be drawn just now.', retryAfterSeconds: 5 });
      }
      isNew = issued.length > 0;
      if (isNew) continue;
      if (performance.now() > deadline) {
        throw new AppError('unavailable', { detail: 'The receipt is being drawn.', retryAfterSeconds: 5 });
      }
      await pause(DRAWING_WAIT.pollMs);
    }
  };
