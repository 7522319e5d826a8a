import type { Mailer } from '../ports/mailer.ts';
import { purgeExpired } from './accounts/purge-expired.ts';
import { sendAccountMail } from './accounts/send-account-mail.ts';
import { answerDebtor } from './collection/answer-debtor.ts';
import { contactDebtor } from './collection/contact-debtor.ts';
import { holdIfEnded } from './collection/hold-if-ended.ts';
import { planCollection, reviewCampaign } from './collection/plan-collection.ts';
import { playSandboxDebtors } from './collection/play-sandbox-debtors.ts';
import { recordPolicy } from './collection/record-policy.ts';
import { restartLost } from './collection/restart-lost.ts';
import type { RunsDeps } from './collection/runs-deps.ts';
import { scoreCampaign } from './collection/score-campaign.ts';
import { wakePaused } from './collection/wake-paused.ts';
import { mailInboxDigests } from './debts/mail-inbox-digests.ts';
import { purgeEndedDebts } from './debts/purge-ended-debts.ts';
import { readKnowledge } from './debts/read-knowledge.ts';
import { deliverDue } from './events/deliver-due.ts';
import type { EventDeps } from './events/deps.ts';

import { checkSenders } from './messaging/check-senders.ts';

import { receiveMessage } from './messaging/receive-message.ts';
import { reconcileCharges } from './payments/reconcile-charges.ts';
import { settlePayment } from './payments/settle-payment.ts';
import { deliverReceipt } from './receipts/deliver-receipt.ts';
import type { DeliveryDeps } from './receipts/deps.ts';
import { shortenReceipts } from './receipts/shorten-receipts.ts';
import { wakeForMissingReceipts } from './receipts/wake-for-missing-receipts.ts';

export interface WorkerDeps extends RunsDeps, DeliveryDeps {
  /** Sends mails about accounts; null when e-mail is off. */
  readonly mailer: Mailer | null;
  readonly events: EventDeps;
}

/** The use cases that an activity, or a timer of the worker, may call. */
export const createWorkerServices = (deps: WorkerDeps) => {
  const { payments } = deps;
  const purge = purgeExpired(deps);
  const shorten = shortenReceipts(deps);
  const reconcile = reconcileCharges(payments);
  const wakeForMissing = wakeForMissingReceipts(deps);
  return {
    answerDebtor: answerDebtor(deps),
    checkSenders: checkSenders(deps),
    contactDebtor: contactDebtor(deps),
    deliverDue: deliverDue(deps.events),
    deliverReceipt: deliverReceipt(deps),
    mailInboxDigests: mailInboxDigests(deps),
    holdIfEnded: holdIfEnded(deps),
    planCollection: planCollection(deps),
    playSandboxDebtors: playSandboxDebtors(deps),
    purgeEndedDebts: purgeEndedDebts(deps),
    purgeExpired: async () => (await purge()) + (await shorten()),
    readKnowledge: readKnowledge(deps),
    receiveMessage: receiveMessage(deps),
    reconcileCharges: async () => {
      try {
        return await reconcile();
      } finally {
        await wakeForMissing();
      }
    },
    recordPolicy: recordPolicy(deps),
    restartLost: restartLost(deps),
    reviewCampaign: reviewCampaign(deps),
    scoreCampaign: scoreCampaign(deps),
    sendAccountMail: sendAccountMail(deps),
    settlePayment: settlePayment(payments),
    wakePaused: wakePaused(deps),
  };
};

export type WorkerServices = ReturnType<typeof createWorkerServices>;
