import type { AppError } from '../../../kernel/errors.ts';
import { toReais } from '../../../kernel/money.ts';
import { isRevoked } from '../../../kernel/revoked-reasons.ts';
import {
  invalidCursor,
  invalidSearchCursor,
  type Page,
  pageOf,
  readCursor,
  writeCursor,
} from '../../../platform/shared/cursor.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { type ListedReceipt, pageOfFoundReceipts, receiptListWith } from '../queries/receipt-lists.ts';
import type { ReceiptDeps } from './deps.ts';
import { issuedWithin, type ReceiptFilter, receiptTermsOf } from './receipt-filter.ts';

export interface ListReceipts extends ReceiptFilter {
  readonly clientId: string;
  readonly debtId?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface Position {
  readonly at: number;
  readonly id: string;
}

/** The latest moment that PostgreSQL and JavaScript both know well. */
const LATEST = Date.UTC(9999, 11, 31);
const AFTER_ALL: Position = { at: LATEST, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

const position = ([at, id]: readonly unknown[]): Position | null =>
  Number.isInteger(at) && (at as number) >= 0 && (at as number) <= LATEST && isUuid(id)
    ? { at: at as number, id }
    : null;

type Deps = Pick<ReceiptDeps, 'db' | 'receiptLinks'>;

function listWith({ db, receiptLinks }: Deps, invalid: () => AppError) {
  const view = (row: ListedReceipt) => ({
    protocol: row.protocol,
    kind: row.kind,
    debtId: row.debtId,
    campaignId: row.campaignId,
    paymentId: row.paymentId,
    issuedAt: row.issuedAt.toISOString(),
    templateVersion: row.templateVersion,
    url: receiptLinks.downloadUrl(row.protocol),
    sent: row.sent,
    debtorName: row.debtorName,
    amount: toReais(row.amountCentavos),
    revokedAt: row.revokedAt !== null && isRevoked(row) ? row.revokedAt.toISOString() : null,
    sandbox: row.sandbox,
  });
  return async (request: ListReceipts): Promise<Page<ReturnType<typeof view>>> => {
    const { clientId, q, campaignId = null, debtId = null, limit, cursor } = request;
    const before = readCursor(cursor, position, invalid) ?? AFTER_ALL;
    const { issuedFrom = new Date(0), issuedBefore = new Date(LATEST) } = issuedWithin(request);
    const page = {
      clientId,
      campaignId,
      debtId,
      from: issuedFrom,
      to: issuedBefore,
      beforeAt: new Date(before.at),
      beforeId: before.id,
      limit: limit + 1,
    };
    const rows =
      q === undefined
        ? await db.readPrepared({ clientId }, receiptListWith(page), page)
        : await db.tenant(clientId).transactional((tx) => pageOfFoundReceipts(tx, page, receiptTermsOf(q)));
    return pageOf(rows, limit, view, (last) => writeCursor(last.issuedAt.getTime(), last.id));
  };
}

/** Lists the issued receipts of a client, the newest first. */
export const listReceipts = (deps: Deps) => listWith(deps, invalidCursor);

/** Lists those that a text finds. */
export const searchReceipts = (deps: Deps) => listWith(deps, invalidSearchCursor);
