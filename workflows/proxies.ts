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

/**
 * `chores` may be done twice without harm, and tried until the next time makes up for them.
 * `mails` too, for as long as somebody waits for the mail: one that comes hours later has no use.
 */
export const chores = proxyActivities<Pick<Activities, 'purgeExpired'>>({
  startToCloseTimeout: '10 minutes',
  scheduleToCloseTimeout: '50 minutes',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});
export const mails = proxyActivities<Pick<Activities, 'sendPasswordReset'>>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '1 hour',
  retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '2 minutes' },
});
