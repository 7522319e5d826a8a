import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { CollectionDeps } from '../../collection/deps.ts';
import { requireLaunchableClient } from '../../collection/staff/require-launchable-client.ts';
import type { CampaignToImportInto } from '../../debts/queries/imports.ts';

type OpenStatus = 'DRAFT' | 'RUNNING' | 'PAUSED';
export type OpenCampaign = CampaignToImportInto & { readonly status: OpenStatus };

const isOpen = (campaign: CampaignToImportInto): campaign is OpenCampaign =>
  campaign.status === 'DRAFT' || campaign.status === 'RUNNING' || campaign.status === 'PAUSED';

/**
 * Returns the campaign when it takes debts. One that was launched for real people contacts the new ones without another
 * request, so the client has to meet what a launch requires of it. Channels are not asked: the new debts wait for a
 * channel as the others do, and an integration that posts one debt at a time must not ask a provider each time.
 */
export async function requireOpenCampaign(
  tx: Tx,
  deps: Pick<CollectionDeps, 'missingConnections'>,
  clientId: string,
  campaign: CampaignToImportInto | undefined,
): Promise<OpenCampaign> {
  if (campaign === undefined) throw new AppError('not_found');
  if (!isOpen(campaign)) throw new AppError('campaign_not_draft');
  if (campaign.status !== 'DRAFT' && campaign.sandbox !== true) {
    await requireLaunchableClient(tx, deps, clientId, campaign);
  }
  return campaign;
}
