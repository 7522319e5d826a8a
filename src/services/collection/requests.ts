import { changeCampaign } from '../campaigns/change-campaign.ts';
import { launchCampaign } from '../campaigns/launch-campaign.ts';
import { readSandboxOutbox } from '../messaging/read-sandbox-outbox.ts';
import { sendSandboxMessage } from '../messaging/send-sandbox-message.ts';
import { resumeDebt, withdrawDebt } from './change-debt.ts';
import { checkEligibility } from './check-eligibility.ts';
import type { CollectionDeps } from './deps.ts';

/** The services that the API calls for a client's requests about collection. */
export const createCollectionRequests = (deps: CollectionDeps) => ({
  changeCampaign: changeCampaign(deps),
  checkEligibility: checkEligibility(deps),
  launchCampaign: launchCampaign(deps),
  readSandboxOutbox: readSandboxOutbox(deps),
  resumeDebt: resumeDebt(deps),
  sendSandboxMessage: sendSandboxMessage(deps),
  withdrawDebt: withdrawDebt(deps),
});
