import type { CampaignStatus } from '../../../kernel/campaign-status.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { type Author, byMember } from '../../accounts/rules/author.ts';
import { type ListedCampaign, READ_CAMPAIGN } from '../../debts/queries/campaigns.ts';
import type { OnPartial } from '../../debts/rules/debt-payments.ts';
import type { SharedDeps } from '../../deps.ts';
import type { ContactHours } from '../../policy/rules/campaign-settings.ts';
import type { SequenceStep } from '../../policy/rules/collection-sequence.ts';

export interface CampaignView {
  readonly id: string;
  readonly name: string;
  readonly status: CampaignStatus;
  /** Null until the campaign is launched. */
  readonly sandbox: boolean | null;
  /** Null for all channels that the client has. */
  readonly channels: RealChannel[] | null;
  /** Null for the contacts of the deployment. */
  readonly sequence: SequenceStep[] | null;
  /** Null for the hours of the policy. */
  readonly hours: ContactHours | null;
  /** Null for none. */
  readonly reminders: { daysBefore: number[] } | null;
  /** Null for the client's name. */
  readonly sender: string | null;
  /** What follows when a debtor has paid a part. */
  readonly onPartial: OnPartial;
  readonly createdAt: string;
  readonly launchedAt: string | null;
  /** The member who launched it. */
  readonly launchedBy?: Author;
}

export const campaignView = (row: ListedCampaign): CampaignView => {
  const { by: launchedBy } = byMember(row.launchedBy, row.launcherName);
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    sandbox: row.sandbox,
    channels: row.channels?.slice() ?? null,
    sequence: row.sequence?.slice() ?? null,
    hours: row.contactHours,
    reminders: row.reminders && { daysBefore: [...row.reminders.daysBefore] },
    sender: row.senderName,
    onPartial: row.onPartial,
    createdAt: row.createdAt.toISOString(),
    launchedAt: row.launchedAt?.toISOString() ?? null,
    ...(launchedBy && { launchedBy }),
  };
};

export const readCampaign =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async ({ clientId, campaignId }: { clientId: string; campaignId: string }): Promise<CampaignView> => {
    const [row] = await db.readPrepared({ clientId }, READ_CAMPAIGN, { clientId, campaignId });
    if (row === undefined) throw new AppError('not_found');
    return campaignView(row);
  };
