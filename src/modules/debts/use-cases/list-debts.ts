import { AppError } from '../../../kernel/errors.ts';
import { invoiceKeyOf } from '../../../kernel/search-terms.ts';
import { type Page, pageOf, readCursor, writeCursor } from '../../../platform/shared/cursor.ts';
import type { SharedDeps } from '../../deps.ts';
import { CAMPAIGN_EXISTS } from '../queries/campaigns.ts';
import { type DebtFilter, debtListWith } from '../queries/debt-lists.ts';
import { type DebtView, debtView } from './debt-view.ts';

export interface ListDebts extends DebtFilter {
  readonly clientId: string;
  readonly campaignId: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const MAX_POSITION = 2 ** 31 - 1;
const position = ([last]: readonly unknown[]): number | null =>
  Number.isInteger(last) && (last as number) >= 0 && (last as number) <= MAX_POSITION ? (last as number) : null;

/** Lists debts in the order of import. */
export const listDebts =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async ({ clientId, campaignId, limit, cursor, status, invoiceId }: ListDebts): Promise<Page<DebtView>> => {
    const after = readCursor(cursor, position) ?? 0;
    const [campaigns, rows] = await Promise.all([
      db.readPrepared({ clientId }, CAMPAIGN_EXISTS, { clientId, campaignId }),
      db.readPrepared({ clientId }, debtListWith({ status, invoiceId }), {
        clientId,
        campaignId,
        after,
        limit: limit + 1,
        status,
        invoiceId,
        invoiceKey: invoiceId === undefined ? undefined : invoiceKeyOf(invoiceId),
      }),
    ]);
    if (campaigns.length === 0) throw new AppError('not_found');
    return pageOf(rows, limit, debtView, (last) => writeCursor(last.position));
  };
