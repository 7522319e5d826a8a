import { changeCampaign } from './change-campaign.ts';
import { resumeDebt, withdrawDebt } from './change-debt.ts';
import { checkEligibility } from './check-eligibility.ts';
import type { CollectionDeps } from './deps.ts';
import { launchCampaign } from './launch-campaign.ts';
import { readSandboxOutbox } from './read-sandbox-outbox.ts';
import { sendSandboxMessage } from './send-sandbox-message.ts';

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
