import type { CollectionServices } from '../src/services/collection/index.ts';
import { createCollectionActivities } from './collection.ts';
import type { Activities } from './contract.ts';
import { createHeartbeat, type HeartbeatDeps } from './heartbeat.ts';

export interface ActivityDeps extends HeartbeatDeps {
  readonly collection: CollectionServices;
}

export const createActivities = (deps: ActivityDeps): Activities => ({
  heartbeat: createHeartbeat(deps),
  ...createCollectionActivities(deps.collection),
});
