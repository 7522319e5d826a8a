import type { Activities } from './contract.ts';
import { createHeartbeat, type HeartbeatDeps } from './heartbeat.ts';

export interface ActivityDeps extends HeartbeatDeps {}

export const createActivities = (deps: ActivityDeps): Activities => ({
  heartbeat: createHeartbeat(deps),
});
