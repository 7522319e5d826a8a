import { statisticsDay } from '../../../kernel/statistics-day.ts';
import { type Page, pageOf, readCursor, readMomentAndId, writeCursor } from '../../../platform/shared/cursor.ts';
import { AGREEMENTS_OF_CAMPAIGNS } from '../../agreements/queries/agreement-figures.ts';
import { LIST_CAMPAIGNS, LIST_CAMPAIGNS_WITH_STATISTICS } from '../../debts/queries/campaigns.ts';
import type { SharedDeps } from '../../deps.ts';
import { type CampaignView, campaignView } from './campaign-view.ts';
import { type RecoveryFigures, recoveryFigures } from './read-statistics.ts';

const START = { createdAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

const position = (parts: readonly unknown[]) => {
  const place = readMomentAndId(parts);
  return place === null ? null : { createdAt: place.at.toISOString(), id: place.id };
};

export interface ListedCampaignView extends CampaignView {
  /** Absent unless the caller has asked for it. */
  readonly statistics?: RecoveryFigures;
}

interface ListCampaigns {
  readonly clientId: string;
  readonly include?: 'statistics' | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const cursorAfter = (last: { readonly createdAt: Date; readonly id: string }): string =>
  writeCursor(last.createdAt.getTime(), last.id);

export const listCampaigns =
  ({ db, now }: Pick<SharedDeps, 'db' | 'now'>) =>
  async ({ clientId, include, limit, cursor }: ListCampaigns): Promise<Page<ListedCampaignView>> => {
    const page = { clientId, ...(readCursor(cursor, position) ?? START), limit: limit + 1 };
    if (include === undefined) {
      return pageOf(await db.readPrepared({ clientId }, LIST_CAMPAIGNS, page), limit, campaignView, cursorAfter);
    }
    const rows = await db.readPrepared({ clientId }, LIST_CAMPAIGNS_WITH_STATISTICS, page);
    const campaignIds = rows.map(({ id }) => id);
    const sums = await db.readPrepared({ clientId }, AGREEMENTS_OF_CAMPAIGNS, { clientId, campaignIds });
    const ofCampaign = Map.groupBy(sums, ({ campaignId }) => campaignId);
    const today = statisticsDay(now().getTime());
    const view = ({ statuses, counters, ...row }: (typeof rows)[number]) => ({
      ...campaignView(row),
      statistics: recoveryFigures({ statuses, counters, agreements: ofCampaign.get(row.id) ?? [], today }),
    });
    return pageOf(rows, limit, view, cursorAfter);
  };
