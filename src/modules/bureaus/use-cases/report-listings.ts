import type { LocalDate } from '../../../kernel/calendar.ts';
import {
  LATEST_MOMENT,
  type Page,
  pageOf,
  readCursor,
  readMomentAndId,
  writeCursor,
} from '../../../platform/shared/cursor.ts';
import type { SharedDeps } from '../../deps.ts';
import { LISTING_REPORT } from '../queries/listing-report.ts';
import type { ListingState } from '../rules/listing-states.ts';

export interface ListingView {
  readonly id: string;
  readonly debtId: string;
  readonly debtorName: string;
  readonly invoiceId: string | null;
  readonly bureau: string;
  readonly at: LocalDate;
  readonly notifiedAt: LocalDate;
  readonly state: ListingState;
  /** Until when it has to be removed; null while the debt is owed. */
  readonly dueAt: string | null;
  readonly removedAt: LocalDate | null;
  readonly sandbox: boolean;
}

export interface ReportListings {
  readonly clientId: string;
  readonly state?: ListingState | undefined;
  readonly debtId?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const START = { at: new Date(LATEST_MOMENT), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** Lists what the client has at bureaus, with what has to be removed and until when. */
export const reportListings =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async ({ clientId, state, debtId, limit, cursor }: ReportListings): Promise<Page<ListingView>> => {
    const before = readCursor(cursor, readMomentAndId) ?? START;
    const rows = await db.readPrepared({ clientId }, LISTING_REPORT, {
      clientId,
      state: state ?? null,
      debtId: debtId ?? null,
      beforeAt: before.at,
      beforeId: before.id,
      limit: limit + 1,
    });
    return pageOf(rows, limit, viewOf, ({ createdAt, id }) => writeCursor(createdAt.getTime(), id));
  };

const viewOf = (row: ReturnType<typeof LISTING_REPORT.rowsOf>[number]): ListingView => ({
  id: row.id,
  debtId: row.debtId,
  debtorName: row.debtorName,
  invoiceId: row.invoiceId,
  bureau: row.bureau,
  at: row.listedOn,
  notifiedAt: row.notifiedOn,
  state: row.state,
  dueAt: row.removeBy?.toISOString() ?? null,
  removedAt: row.removedOn,
  sandbox: row.sandbox,
});
