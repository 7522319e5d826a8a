import { Context } from '@temporalio/activity';
import type { CollectionServices } from '../src/services/collection/index.ts';
import type { Activities } from './contract.ts';
import { whileAlive } from './while-alive.ts';

type CollectionActivities = Omit<
  Activities,
  'heartbeat' | 'deliverReceipt' | 'purgeExpired' | 'sendAccountMail' | 'sendPasswordReset'
>;

/** The collection use cases in the form in which Temporal calls them. */
export const createCollectionActivities = (collection: CollectionServices): CollectionActivities => ({
  scoreCampaign: (task) => collection.scoreCampaign(task, () => Context.current().heartbeat()),
  planCollection: collection.planCollection,
  reviewCampaign: collection.reviewCampaign,
  contactDebtor: whileAlive(collection.contactDebtor),
  answerDebtor: whileAlive(collection.answerDebtor),
  settlePayment: whileAlive(collection.settlePayment),
  reconcileCharges: () => collection.reconcileCharges(() => Context.current().heartbeat()),
  wakePaused: collection.wakePaused,
});
