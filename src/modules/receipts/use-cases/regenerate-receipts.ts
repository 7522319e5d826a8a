import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import type { ReceiptDeps } from './deps.ts';
import { type DrawFailure, drawReceipts } from './issue-receipt.ts';
import { readPaymentsWithReceipt } from './read-settled-payments.ts';
import { issuedWithin, type ReceiptFilter, receiptTermsOf } from './receipt-filter.ts';

export interface RegenerateRequest extends ReceiptFilter {
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

/** The conditions as the audit log keeps them: it has no data of a debtor, so only whether a text was searched. */
const conditionsOf = ({ q, campaignId, from, to }: ReceiptFilter) => ({
  ...(q === undefined ? {} : { searched: true }),
  ...(campaignId === undefined ? {} : { campaignId }),
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
});

/**
 * Draws the receipts of one page of the client's payments again, those of parts and instalments too, where that is needed
 * and no other process does it.
 */
export const regenerateReceipts =
  (deps: Pick<ReceiptDeps, 'db' | 'now' | 'policy' | 'receiptLinks' | 'renderer'>) =>
  async (request: RegenerateRequest): Promise<RegeneratedPage> => {
    const { clientId, q, campaignId, take, skip, force, source } = request;
    const terms = q === undefined ? undefined : receiptTermsOf(q);
    const selection = { clientId, terms, campaignId, ...issuedWithin(request) };
    const found = await deps.db
      .tenant(clientId)
      .transactional((tx) => readPaymentsWithReceipt(tx, deps, selection, { take: take + 1, skip }));
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
    const details = { ...counts, failed: failed.length, force, ...conditionsOf(request) };
    await deps.db
      .tenant(clientId)
      .transactional((tx) => addRequestAudit(tx, { clientId, source, action: 'receipts_regenerated', details }));
    return {
      ...counts,
      failed,
      capped,
      nextSkip: capped ? skip + payments.length : null,
    };
  };
