import type { ServiceDeps } from '../deps.ts';
import { type Page, pageOf, readCursor, writeCursor } from '../shared/cursor.ts';
import { isUuid } from '../shared/is-uuid.ts';
import { CAMPAIGN_COLUMNS, type CampaignColumns, type CampaignView, campaignView } from './campaign-view.ts';

const list = {
  name: 'list_campaigns',
  text: `select ${CAMPAIGN_COLUMNS} from campaigns
    where client_id = $1 and (created_at, id) < ($2::timestamptz, $3::uuid)
    order by created_at desc, id desc limit $4`,
};

const START = { createdAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

const position = ([createdAt, id]: readonly unknown[]) =>
  Number.isSafeInteger(createdAt) && Math.abs(createdAt as number) <= 8.64e15 && isUuid(id)
    ? { createdAt: new Date(createdAt as number).toISOString(), id }
    : null;

export const listCampaigns =
  ({ db }: Pick<ServiceDeps, 'db'>) =>
  async (input: { clientId: string; limit: number; cursor?: string | undefined }): Promise<Page<CampaignView>> => {
    const { clientId, limit } = input;
    const after = readCursor(input.cursor, position) ?? START;
    const rows = await db.read<CampaignColumns>({ clientId }, list, [clientId, after.createdAt, after.id, limit + 1]);
    return pageOf(rows, limit, campaignView, (last) => writeCursor(last.created_at.getTime(), last.id));
  };
