import type { CollectionWorkflows } from '../../../kernel/ports/collection-workflows.ts';
import { addOutboxRows } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { activeAgreementsOfCampaign } from '../../agreements/queries/agreements.ts';

/** Makes the agreements of a campaign look again when their next notice may be sent. */
export async function wakeAgreementsOfCampaign(
  tx: Tx,
  workflows: CollectionWorkflows,
  campaignId: string,
): Promise<void> {
  const agreements = await activeAgreementsOfCampaign(tx, campaignId);
  await addOutboxRows(
    tx,
    agreements.map((agreement) => workflows.wakeAgreement(agreement, 'stateChanged')),
  );
}
