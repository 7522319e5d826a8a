import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { lockCampaign } from '../../debts/queries/campaign-changes.ts';
import type { SharedDeps } from '../../deps.ts';
import { deleteImportedDebts, lockImportedDebts } from '../queries/draft-debts.ts';

/**
 * Empties a draft, so that a wrong file can be imported again. A debt stays when its debtor has written, pressed a button
 * or got a code: what came from outside is never lost, and a payment of that code still has its debt.
 */
export const deleteDraftDebts =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async (request: {
    readonly clientId: string;
    readonly campaignId: string;
    readonly source: RequestSource;
  }): Promise<void> => {
    const { clientId, campaignId, source } = request;
    await db.tenant(clientId).transactional(async (tx) => {
      // A launch and an import lock the campaign too, and a launch locks it before its debts.
      const campaign = await lockCampaign(tx, campaignId);
      if (campaign === undefined) throw new AppError('not_found');
      if (campaign.status !== 'DRAFT') throw new AppError('campaign_not_draft');
      const { debts } = await lockImportedDebts(tx, campaignId);
      const deleted = await deleteImportedDebts(tx, campaignId);
      const details = { deleted, kept: debts - deleted };
      await addRequestAudit(tx, { clientId, source, action: 'draft_debts_deleted', target: campaignId, details });
    });
  };
