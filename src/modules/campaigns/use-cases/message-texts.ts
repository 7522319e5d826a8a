import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import type { CollectionDeps } from '../../collection/deps.ts';
import { lockCampaign, readCampaignStatus } from '../../debts/queries/campaign-changes.ts';
import { insertText, newestTexts } from '../../messaging/queries/message-texts.ts';
import { type CheckedWording, checkWording } from './check-wording.ts';

export interface TextView {
  readonly step: number;
  readonly version: number;
  readonly text: string;
  readonly short: string | null;
  readonly since: string;
}

interface OfCampaign {
  readonly clientId: string;
  readonly campaignId: string;
}

/** Returns the client's own words of a campaign, in the order of the steps. Other steps have the product's. */
export const readTexts =
  ({ db }: Pick<CollectionDeps, 'db'>) =>
  async ({ clientId, campaignId }: OfCampaign): Promise<TextView[]> =>
    db.tenant(clientId).transactional(async (tx) => {
      if ((await readCampaignStatus(tx, campaignId)) === undefined) throw new AppError('not_found');
      const rows = await newestTexts(tx, campaignId);
      return rows.flatMap(({ step, version, text, short, createdAt }) =>
        text === null ? [] : [{ step, version, text, short, since: createdAt.toISOString() }],
      );
    });

/** Saves the words of a step as its next version. Null returns to the product's words. */
export const changeText =
  (deps: CollectionDeps) =>
  async (
    request: OfCampaign & {
      readonly step: number;
      readonly wording: CheckedWording | null;
      readonly source: RequestSource;
    },
  ): Promise<void> => {
    const { clientId, campaignId, step, wording, source } = request;
    const checked = wording === null ? [] : await checkWording(deps, { clientId, campaignId, wording });
    if (checked.length > 0) throw new AppError('validation_failed', { errors: checked });
    await deps.db.tenant(clientId).transactional(async (tx) => {
      const campaign = await lockCampaign(tx, campaignId);
      if (campaign === undefined) throw new AppError('not_found');
      if (campaign.status === 'COMPLETED' || campaign.status === 'ARCHIVED') {
        throw new AppError('campaign_state', { detail: `A campaign in status ${campaign.status} sends no messages.` });
      }
      const before = (await newestTexts(tx, campaignId)).find((row) => row.step === step);
      if (wording === null && (before === undefined || before.text === null)) return;
      const version = (before?.version ?? 0) + 1;
      const { text = null, short = null } = wording ?? {};
      await insertText(tx, { clientId, campaignId, step, version, text, short, createdAt: deps.now() });
      const details = { step, version };
      await addRequestAudit(tx, { clientId, source, action: 'message_text_changed', target: campaignId, details });
    });
  };
