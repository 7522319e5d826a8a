import { Context } from '@temporalio/activity';
import type { WorkerServices } from '../src/services/worker.ts';
import type { Activities } from './contract.ts';
import { createHeartbeat, type HeartbeatDeps } from './heartbeat.ts';
import { whileAlive } from './while-alive.ts';

export interface ActivityDeps extends HeartbeatDeps {
  readonly services: Pick<WorkerServices, Exclude<keyof Activities, 'heartbeat' | 'sendPasswordReset'>>;
}

/** All activities. `worker.ts` translates the errors of the use cases into retry or no retry. */
export const createActivities = ({ services, ...heartbeat }: ActivityDeps): Activities => ({
  heartbeat: createHeartbeat(heartbeat),
  scoreCampaign: (task) => services.scoreCampaign(task, sendHeartbeat),
  planCollection: services.planCollection,
  reviewCampaign: services.reviewCampaign,
  contactDebtor: whileAlive(services.contactDebtor),
  answerDebtor: whileAlive(services.answerDebtor),
  settlePayment: whileAlive(services.settlePayment),
  deliverReceipt: whileAlive(services.deliverReceipt),
  reconcileCharges: whileAlive(services.reconcileCharges),
  mailInboxDigests: () => services.mailInboxDigests(sendHeartbeat),
  wakePaused: services.wakePaused,
  purgeExpired: services.purgeExpired,
  sendAccountMail: services.sendAccountMail,
  sendPasswordReset: (request) => services.sendAccountMail({ ...request, kind: 'password_reset' }),
});

const sendHeartbeat = (): void => Context.current().heartbeat();
