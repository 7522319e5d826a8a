import { addRequestAudit, type RequestSource } from '../../db/add-audit.ts';
import type { ReceiptDeps } from './deps.ts';
import { type DrawFailure, drawReceipts } from './draw-receipts.ts';
import { readSettledPayments } from './read-settled-payments.ts';

export interface RegenerateRequest {
  readonly clientId: string;
  readonly take: number;
  readonly skip: number;
  /** Draws also receipts that use the current template. */
  readonly force: boolean;
  readonly source: RequestSource;
}

export interface RegeneratedPage {
  readonly total: number;
  readonly regenerated: number;
  readonly skipped: number;
  readonly failed: DrawFailure[];
  readonly capped: boolean;
  readonly nextSkip: number | null;
}

/**
 * Draws the receipts of one page of the client's settled payments again where that is needed and no other process does
 * it.
 */
export const regenerateReceipts =
  (deps: Pick<ReceiptDeps, 'db' | 'now' | 'receiptLinks' | 'renderer'>) =>
  async ({ clientId, take, skip, force, source }: RegenerateRequest): Promise<RegeneratedPage> => {
    const found = await deps.db
      .tenant(clientId)
      .transactional((em) => readSettledPayments(em, { clientId, take: take + 1, skip }));
    const payments = found.slice(0, take);
    const capped = found.length > take;
    const { stored, failed } = await drawReceipts(deps, {
      clientId,
      payments,
      redrawOlderThan: force ? (payments[0]?.readAt ?? null) : null,
      actor: 'client',
    });
    const counts = {
      total: payments.length,
      regenerated: stored.length,
      skipped: payments.length - stored.length - failed.length,
    };
    const details = { ...counts, failed: failed.length, force };
    await deps.db
      .tenant(clientId)
      .transactional((em) => addRequestAudit(em, { clientId, source, action: 'receipts_regenerated', details }));
    return {
      ...counts,
      failed,
      capped,
      nextSkip: capped ? skip + payments.length : null,
    };
  };
