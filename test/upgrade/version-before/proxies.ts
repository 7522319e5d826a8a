import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../../activities/contract.ts';
import { answersQueueOf } from './ids.ts';

/**
 * About half an hour of tries, in which a database may be restored or a provider recover. Then an operator has to act.
 */
const PATIENT = {
  initialInterval: '1 second',
  backoffCoefficient: 2,
  maximumInterval: '5 minutes',
  maximumAttempts: 15,
} as const;

/** Set-based and idempotent: a retry repeats the page and changes nothing twice. */
const campaignOptions = { startToCloseTimeout: '2 minutes', heartbeatTimeout: '1 minute', retry: PATIENT } as const;
export const { scoreCampaign } = proxyActivities<Pick<Activities, 'scoreCampaign'>>({
  ...campaignOptions,
  startToCloseTimeout: '30 minutes',
  summary: 'Score every debt',
});
export const { planCollection } = proxyActivities<Pick<Activities, 'planCollection'>>({
  ...campaignOptions,
  summary: 'Plan the first contacts of a page of debts',
});
export const { reviewCampaign } = proxyActivities<Pick<Activities, 'reviewCampaign'>>({
  ...campaignOptions,
  summary: 'Is any debt left to work?',
});

/**
 * A contact is booked under an attempt key before anything is sent, so a retry never sends twice. Temporal retries an
 * activity whose process was killed when its heartbeats stop.
 */
const debtOptions = { startToCloseTimeout: '90 seconds', heartbeatTimeout: '30 seconds', retry: PATIENT } as const;
export const { contactDebtor } = proxyActivities<Pick<Activities, 'contactDebtor'>>({
  ...debtOptions,
  summary: 'Contact the debtor, if it is time and the policy agrees',
});
export const { deliverReceipt } = proxyActivities<Pick<Activities, 'deliverReceipt'>>({
  ...debtOptions,
  // A mail server may answer slowly.
  startToCloseTimeout: '3 minutes',
  summary: 'Issue the receipt, and send it',
});

/**
 * Answers and settlements, for which a person waits, have a task queue of their own, so that the contacts of a busy
 * morning do not delay them. Settling goes by stored state, so that the same notification twice is settled once.
 */
export function answersOf(taskQueue: string): Pick<Activities, 'answerDebtor' | 'settlePayment'> {
  const options = { ...debtOptions, taskQueue: answersQueueOf(taskQueue) };
  const { answerDebtor } = proxyActivities<Pick<Activities, 'answerDebtor'>>({
    ...options,
    summary: 'Understand, obey and answer what the debtor wrote',
  });
  const { settlePayment } = proxyActivities<Pick<Activities, 'settlePayment'>>({
    ...options,
    summary: 'Ask the provider about the payment, and settle it',
  });
  return { answerDebtor, settlePayment };
}
