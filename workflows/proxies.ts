import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/contract.ts';
import { answersQueueOf, webhooksQueueOf } from './ids.ts';

/**
 * The activities, grouped by the effect of a retry. `probes` change nothing, so they are retried without limit, but
 * rarely, because each attempt is billed.
 */
export const probes = proxyActivities<Pick<Activities, 'heartbeat'>>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

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

/** A request is stored as attempted before anything is sent, so a retry never sends twice. */
export const { askForPhone: askOnce } = proxyActivities<Pick<Activities, 'askForPhone'>>({
  startToCloseTimeout: '90 seconds',
  retry: PATIENT,
  summary: 'Ask for the phone, if it is the turn of this request',
});

export const { followAgreement: followOnce } = proxyActivities<Pick<Activities, 'followAgreement'>>({
  ...debtOptions,
  // The receipts of its instalments are drawn too.
  startToCloseTimeout: '3 minutes',
  summary: 'Remind of an instalment, or end the agreement',
});

/** It opens an item of the inbox that may be open already, so that a retry does no harm. */
export const { followListings: remindOfListings } = proxyActivities<Pick<Activities, 'followListings'>>({
  startToCloseTimeout: '30 seconds',
  retry: PATIENT,
  summary: 'Ask the staff to remove listings at bureaus',
});

/**
 * Answers and settlements, for which a person waits, have a task queue of their own, so that the contacts of a busy
 * morning do not delay them. Settling goes by stored state, so that the same notification twice is settled once.
 */
export function answersOf(taskQueue: string): Pick<Activities, 'answerDebtor' | 'settlePayment' | 'settleAgreement'> {
  const options = { ...debtOptions, taskQueue: answersQueueOf(taskQueue) };
  const { answerDebtor } = proxyActivities<Pick<Activities, 'answerDebtor'>>({
    ...options,
    summary: 'Understand, obey and answer what the debtor wrote',
  });
  const { settlePayment } = proxyActivities<Pick<Activities, 'settlePayment'>>({
    ...options,
    summary: 'Ask the provider about the payment, and settle it',
  });
  const { settleAgreement } = proxyActivities<Pick<Activities, 'settleAgreement'>>({
    ...options,
    summary: 'Ask the provider about the instalment, and settle it',
  });
  return { answerDebtor, settlePayment, settleAgreement };
}

/**
 * Few attempts are enough, because the schedule starts both again. A run of the reconciliation ends after half a minute,
 * and its last questions half a minute later.
 */
export const { reconcileCharges } = proxyActivities<Pick<Activities, 'reconcileCharges'>>({
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { maximumAttempts: 2 },
  summary: 'Ask about charges that nobody has notified',
});
/** The items are booked before a mail, so that a retry sends none twice. The schedule starts it again anyway. */
export const { mailInboxDigests } = proxyActivities<Pick<Activities, 'mailInboxDigests'>>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '2 minutes',
  retry: { maximumAttempts: 2 },
  summary: 'Mail to clients what waits for their staff',
});
/** It asks and stores, so that a retry does no harm. The schedule starts it again anyway. */
export const { checkSenders } = proxyActivities<Pick<Activities, 'checkSenders'>>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '2 minutes',
  retry: { maximumAttempts: 2 },
  summary: 'Ask the channels about senders',
});
export const { wakePaused } = proxyActivities<Pick<Activities, 'wakePaused'>>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
  summary: 'Wake debts whose campaign runs again',
});

/** It is long only when much was lost: each start waits for its turn. A retry asks again and finds what is started. */
export const { restartLost: restartSome } = proxyActivities<Pick<Activities, 'restartLost'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
  summary: 'Start what has no workflow',
});

/** A run ends after four minutes. What is left, the next scheduled run does. */
export const { purgeEndedDebts } = proxyActivities<Pick<Activities, 'purgeEndedDebts'>>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '2 minutes',
  retry: { maximumAttempts: 3 },
  summary: 'Purge timelines and messages of ended debts',
});

/**
 * `chores` may run twice without harm and are tried until shortly before their next scheduled start. `mails` may run
 * twice too, but only while somebody waits for the mail, because a mail that arrives hours later is useless.
 */
export const chores = proxyActivities<Pick<Activities, 'purgeExpired'>>({
  startToCloseTimeout: '10 minutes',
  scheduleToCloseTimeout: '50 minutes',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});
export const mails = proxyActivities<Pick<Activities, 'sendAccountMail'>>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '1 hour',
  retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '2 minutes' },
});

/** It finds what is left, and is never given up, because the person has a right to it. */
export const erasures = proxyActivities<Pick<Activities, 'eraseDebtor'>>({
  startToCloseTimeout: '5 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
  summary: 'Erase the personal data of a debtor',
});

/**
 * Posts to webhooks have a task queue of their own, so that receivers that do not answer take no place from contacts and
 * settlements. An attempt stores what it did, so a retry goes on after it; it is never given up, because nothing else
 * would post what waits.
 */
export function deliveriesOf(taskQueue: string): Pick<Activities, 'deliverDue'> {
  return proxyActivities<Pick<Activities, 'deliverDue'>>({
    taskQueue: webhooksQueueOf(taskQueue),
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout: '30 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
    summary: 'Post what is due',
  });
}
