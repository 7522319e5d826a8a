import { receiveInbound } from '../messaging/receive-inbound.ts';
import { receiveMessage } from '../messaging/receive-message.ts';
import { reconcileCharges } from '../payments/reconcile-charges.ts';
import { settlePayment } from '../payments/settle-payment.ts';
import { answerDebtor } from './answer-debtor.ts';
import { contactDebtor } from './contact-debtor.ts';
import type { CollectionDeps } from './deps.ts';
import { planCollection, reviewCampaign } from './plan-collection.ts';
import { scoreCampaign } from './score-campaign.ts';
import { wakePaused } from './wake-paused.ts';

/** The services that workflows call through activities. Only a worker uses them. */
export const createCollectionServices = (deps: CollectionDeps) => ({
  answerDebtor: answerDebtor(deps),
  contactDebtor: contactDebtor(deps),
  planCollection: planCollection(deps),
  receiveInbound: receiveInbound(deps),
  receiveMessage: receiveMessage(deps),
  reconcileCharges: reconcileCharges(deps.payments),
  reviewCampaign: reviewCampaign(deps),
  scoreCampaign: scoreCampaign(deps),
  settlePayment: settlePayment(deps.payments),
  wakePaused: wakePaused(deps),
});

export type CollectionServices = ReturnType<typeof createCollectionServices>;
