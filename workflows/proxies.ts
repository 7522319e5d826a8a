import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/contract.ts';

/**
 * Activities grouped by what a retry means.
 * `probes` change nothing, so they may be tried for ever; rarely, because each attempt is billed.
 */
export const probes = proxyActivities<Pick<Activities, 'heartbeat'>>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});
