import type { Mailer } from '../../kernel/ports/mailer.ts';
import { followListings } from '../../modules/bureaus/use-cases/follow-listings.ts';
import { loadBureauTerms } from '../../modules/bureaus/use-cases/load-bureau-terms.ts';
import { followAgreement } from '../../modules/collection/agreements/follow-agreement.ts';
import { contactDebtor } from '../../modules/collection/contact/contact-debtor.ts';
import { answerDebtor } from '../../modules/collection/conversation/answer-debtor.ts';
import { playSandboxDebtors } from '../../modules/collection/conversation/play-sandbox-debtors.ts';
import type { RunsDeps } from '../../modules/collection/deps.ts';
import { planCollection, reviewCampaign } from '../../modules/collection/planning/plan-collection.ts';
import { scoreCampaign } from '../../modules/collection/planning/score-campaign.ts';
import { holdIfEnded } from '../../modules/collection/recovery/hold-if-ended.ts';
import { restartLost } from '../../modules/collection/recovery/restart-lost.ts';
import { wakePaused } from '../../modules/collection/recovery/wake-paused.ts';
import { readKnowledge } from '../../modules/debts/use-cases/read-knowledge.ts';
import { deliverDue } from '../../modules/events/use-cases/deliver-due.ts';
import type { EventDeps } from '../../modules/events/use-cases/deps.ts';
import { askForPhone } from '../../modules/messaging/use-cases/ask-for-phone.ts';
import { checkSenders } from '../../modules/messaging/use-cases/check-senders.ts';
import { keepEarlierTexts } from '../../modules/messaging/use-cases/keep-earlier-texts.ts';
import { loadPrices } from '../../modules/messaging/use-cases/load-prices.ts';
import { receiveMessage } from '../../modules/messaging/use-cases/receive-message.ts';
import { watchNumbers } from '../../modules/messaging/use-cases/watch-numbers.ts';
import { reconcileCharges } from '../../modules/payments/use-cases/reconcile-charges.ts';
import { reconcileRefunds } from '../../modules/payments/use-cases/reconcile-refunds.ts';
import { settleAgreement } from '../../modules/payments/use-cases/settle-agreement.ts';
import { settlePayment } from '../../modules/payments/use-cases/settle-payment.ts';
import { watchAccounts } from '../../modules/payments/use-cases/watch-accounts.ts';
import { recordPolicy } from '../../modules/policy/use-cases/record-policy.ts';
import { eraseAsAsked } from '../../modules/privacy/use-cases/erase-debtor.ts';
import { purgeEndedDebts } from '../../modules/privacy/use-cases/purge-ended-debts.ts';
import { purgeExpired } from '../../modules/privacy/use-cases/purge-expired.ts';
import { deliverReceipt } from '../../modules/receipts/use-cases/deliver-receipt.ts';
import type { DeliveryDeps } from '../../modules/receipts/use-cases/deps.ts';
import { issueInstalmentReceipts } from '../../modules/receipts/use-cases/issue-receipt.ts';
import { shortenReceipts } from '../../modules/receipts/use-cases/shorten-receipts.ts';
import { wakeForMissingReceipts } from '../../modules/receipts/use-cases/wake-for-missing-receipts.ts';
import { mailRights } from '../../modules/rights/use-cases/mail-rights.ts';
import { mailInboxDigests } from '../../modules/staff-mail/use-cases/mail-inbox-digests.ts';
import { sendAccountMail } from '../../modules/staff-mail/use-cases/send-account-mail.ts';

export interface WorkerDeps extends RunsDeps, DeliveryDeps {
  /** Sends mails about accounts; null when e-mail is off. */
  readonly mailer: Mailer | null;
  readonly operatorEmail?: string | undefined;
  readonly events: EventDeps;
}

/** Does each work, also after one that failed, and then fails as that did, or with what all of several say. */
async function eachInTurn(works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const work of works) await work().catch((error: unknown) => failures.push(error));
  if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join('; '));
  if (failures.length > 0) throw failures[0];
}

/** The use cases that an activity, or a timer of the worker, may call. */
export const createWorkerServices = (deps: WorkerDeps) => {
  const { payments } = deps;
  const purge = purgeExpired(deps);
  const shorten = shortenReceipts(deps);
  const watch = watchAccounts(payments);
  const reconcile = reconcileCharges(payments);
  const wakeForMissing = wakeForMissingReceipts(deps);
  const mailPersons = mailRights(deps);
  const mailDigests = mailInboxDigests(deps);
  const check = checkSenders(deps);
  const prices = loadPrices();
  return {
    answerDebtor: answerDebtor(deps),
    askForPhone: askForPhone({ ...deps, cipher: deps.files.cipher }),
    checkSenders: async (onProgress: () => void): Promise<number> => {
      let asked = 0;
      await eachInTurn([
        // What is known without the channels does not wait for them.
        watchNumbers({ ...deps, prices }),
        async () => {
          asked = await check(onProgress);
        },
      ]);
      return asked;
    },
    contactDebtor: contactDebtor(deps),
    deliverDue: deliverDue(deps.events),
    deliverReceipt: deliverReceipt(deps),
    eraseDebtor: eraseAsAsked(deps),
    followAgreement: followAgreement(deps),
    followListings: followListings({ ...deps, bureauTerms: loadBureauTerms() }),
    keepEarlierTexts: keepEarlierTexts(deps),
    mailInboxDigests: async (onProgress: () => void) => {
      let sent = 0;
      await eachInTurn([
        // What is due soon is told by the digest that follows.
        () => mailPersons(onProgress),
        async () => {
          sent = await mailDigests(onProgress);
        },
      ]);
      return sent;
    },
    holdIfEnded: holdIfEnded(deps),
    issueInstalmentReceipts: (of: { readonly clientId: string; readonly agreementId: string }) =>
      issueInstalmentReceipts(deps, of),
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
        // A refund or an account that fails keeps nothing else from being done.
        await eachInTurn([wakeForMissing, () => reconcileRefunds(payments), watch]);
      }
    },
    recordPolicy: recordPolicy(deps),
    restartLost: restartLost(deps),
    reviewCampaign: reviewCampaign(deps),
    scoreCampaign: scoreCampaign(deps),
    sendAccountMail: sendAccountMail(deps),
    settleAgreement: settleAgreement(payments),
    settlePayment: settlePayment(payments),
    wakePaused: wakePaused(deps),
  };
};

export type WorkerServices = ReturnType<typeof createWorkerServices>;
