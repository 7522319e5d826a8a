import { LIST_CAMPAIGNS } from '../../db/queries/campaigns.ts';
import { type Page, pageOf, readCursor, writeCursor } from '../shared/cursor.ts';
import type { SharedDeps } from '../shared/deps.ts';
import { isUuid } from '../shared/is-uuid.ts';
import { type CampaignView, campaignView } from './campaign-view.ts';

const START = { createdAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

const position = ([createdAt, id]: readonly unknown[]) =>
  Number.isSafeInteger(createdAt) && Math.abs(createdAt as number) <= 8.64e15 && isUuid(id)
    ? { createdAt: new Date(createdAt as number).toISOString(), id }
    : null;

export const listCampaigns =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async (input: { clientId: string; limit: number; cursor?: string | undefined }): Promise<Page<CampaignView>> => {
    const { clientId, limit } = input;
    const after = readCursor(input.cursor, position) ?? START;
    const rows = await db.readPrepared({ clientId }, LIST_CAMPAIGNS, { clientId, ...after, limit: limit + 1 });
    return pageOf(rows, limit, campaignView, (last) => writeCursor(last.createdAt.getTime(), last.id));
  };
