import type { CollectionServices } from '../src/services/collection/index.ts';
import { createCollectionActivities } from './collection.ts';
import type { Activities } from './contract.ts';
import { createHeartbeat, type HeartbeatDeps } from './heartbeat.ts';
import { whileAlive } from './while-alive.ts';

/** Use cases that serve as activities unchanged; `worker.ts` translates their errors into retry or no retry. */
type UseCases = Pick<Activities, 'deliverReceipt' | 'purgeExpired' | 'sendAccountMail'>;

export interface ActivityDeps extends HeartbeatDeps, UseCases {
  readonly collection: CollectionServices;
}

export const createActivities = (deps: ActivityDeps): Activities => ({
  heartbeat: createHeartbeat(deps),
  ...createCollectionActivities(deps.collection),
  deliverReceipt: whileAlive(deps.deliverReceipt),
  purgeExpired: deps.purgeExpired,
  sendAccountMail: deps.sendAccountMail,
  sendPasswordReset: (request) => deps.sendAccountMail({ ...request, kind: 'password_reset' }),
});
