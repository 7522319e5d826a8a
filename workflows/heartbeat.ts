import type { HeartbeatResult } from '../activities/contract.ts';
import { probes } from './proxies.ts';

export async function heartbeat(): Promise<HeartbeatResult> {
  return probes.heartbeat();
}
