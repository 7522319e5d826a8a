import { type ListedReceipt, receiptListWith } from '../../db/queries/receipt-lists.ts';
import { addDays, type LocalDate } from '../../domain/calendar.ts';
import { toReais } from '../../domain/money.ts';
import { isRevoked } from '../../domain/revoked-reasons.ts';
import { startOfStatisticsDay } from '../../domain/statistics-day.ts';
import { type Page, pageOf, readCursor, writeCursor } from '../shared/cursor.ts';
import { isUuid } from '../shared/is-uuid.ts';
import type { ReceiptDeps } from './deps.ts';

export interface ListReceipts {
  readonly clientId: string;
  readonly campaignId?: string | undefined;
  readonly debtId?: string | undefined;
  /** The first and the last day of issue, by the clock of São Paulo. */
  readonly from?: LocalDate | undefined;
  readonly to?: LocalDate | undefined;
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

/** Lists the issued receipts of a client, the newest first. */
export const listReceipts = ({ db, receiptLinks }: Pick<ReceiptDeps, 'db' | 'receiptLinks'>) => {
  const view = (row: ListedReceipt) => ({
    protocol: row.protocol,
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
  return async ({
    clientId,
    campaignId,
    debtId,
    from,
    to,
    limit,
    cursor,
  }: ListReceipts): Promise<Page<ReturnType<typeof view>>> => {
    const of = { campaignId: campaignId ?? null, debtId: debtId ?? null };
    const before = readCursor(cursor, position) ?? AFTER_ALL;
    const rows = await db.readPrepared({ clientId }, receiptListWith(of), {
      clientId,
      ...of,
      from: new Date(from === undefined ? 0 : startOfStatisticsDay(from)),
      to: new Date(to === undefined ? LATEST : startOfStatisticsDay(addDays(to, 1))),
      beforeAt: new Date(before.at),
      beforeId: before.id,
      limit: limit + 1,
    });
    return pageOf(rows, limit, view, (last) => writeCursor(last.issuedAt.getTime(), last.id));
  };
};
