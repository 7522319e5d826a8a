import { addDays } from '../../../kernel/calendar.ts';
import { AppError } from '../../../kernel/errors.ts';
import { toReais } from '../../../kernel/money.ts';
import type { ReceiptKind } from '../../../kernel/receipt-kinds.ts';
import { isRevoked } from '../../../kernel/revoked-reasons.ts';
import { startOfStatisticsDay } from '../../../kernel/statistics-day.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { type IssuedReceiptRow, receiptsIssuedWithin } from '../queries/receipt-lists.ts';
import { RECEIPT_FILE } from '../queries/receipts.ts';
import { type ReadDeps, readCurrentReceipt } from './open-signed-receipt.ts';

export interface ArchiveRequest {
  readonly clientId: string;
  /** The month of issue, by the clock of São Paulo: `2026-11`. */
  readonly month: string;
  readonly campaignId?: string | undefined;
  readonly sandbox?: boolean | undefined;
  readonly source: RequestSource;
}

export interface ArchivedReceipt {
  readonly protocol: string;
  readonly kind: ReceiptKind;
  readonly issuedAt: Date;
  readonly debtorName: string;
  readonly invoiceId: string | null;
  readonly amount: number;
  readonly isRevoked: boolean;
  readonly sandbox: boolean;
  /** Null when it is no longer kept, or cannot be drawn now. */
  readonly pdf: Buffer | null;
}

/** The most receipts of one archive: about 300 MB. */
const MAX_ARCHIVED = 5_000;
const MAX_MONTH = 31;

/**
 * Returns the receipts of a month with their documents, one at a time: each is read when the one before is written, so
 * a slow download keeps no connection to the database and one document in memory.
 */
export const archiveReceipts =
  (deps: ReadDeps) =>
  async (request: ArchiveRequest): Promise<AsyncIterable<ArchivedReceipt>> => {
    const { clientId, month, campaignId, sandbox, source } = request;
    const first = `${month}-01`;
    const next = `${addDays(first, MAX_MONTH).slice(0, 7)}-01`;
    const rows = await deps.db.tenant(clientId).transactional(async (tx) => {
      const found = await receiptsIssuedWithin(tx, {
        clientId,
        campaignId,
        sandbox,
        from: new Date(startOfStatisticsDay(first)),
        before: new Date(startOfStatisticsDay(next)),
        limit: MAX_ARCHIVED + 1,
      });
      if (found.length > MAX_ARCHIVED) {
        const message = `These are more than ${MAX_ARCHIVED} receipts; choose one campaign`;
        throw new AppError('validation_failed', { errors: [{ parameter: 'month', code: 'too_big', message }] });
      }
      const details = { month, receipts: found.length, campaignId: campaignId ?? null, sandbox: sandbox ?? null };
      await addRequestAudit(tx, { clientId, source, action: 'receipts_exported', details });
      return found;
    });
    return withDocuments(deps, rows);
  };

async function* withDocuments(deps: ReadDeps, rows: readonly IssuedReceiptRow[]): AsyncGenerator<ArchivedReceipt> {
  for (const row of rows) {
    const { protocol, kind, issuedAt, debtorName, invoiceId, sandbox, amountCentavos } = row;
    yield {
      protocol,
      kind,
      issuedAt,
      debtorName,
      invoiceId,
      amount: toReais(amountCentavos),
      isRevoked: isRevoked(row),
      sandbox,
      pdf: await documentOf(deps, protocol),
    };
  }
}

/** One receipt that cannot be drawn again now does not keep the others from being downloaded. */
async function documentOf(deps: ReadDeps, protocol: string): Promise<Buffer | null> {
  try {
    return (await readCurrentReceipt(deps, protocol, RECEIPT_FILE))?.pdf ?? null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return null;
    throw error;
  }
}
