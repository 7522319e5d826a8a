/** The workflows that a worker can run, one export each, with the name in `contract.ts`. */

export { followAgreement } from './agreements/follow-agreement.ts';
export { followListings } from './bureaus/follow-listings.ts';
export { runCampaign } from './campaigns/run-campaign.ts';
export { collectDebt } from './collection/collect-debt.ts';
export { restartLost } from './collection/restart-lost.ts';
export { wakePausedDebts } from './collection/wake-paused-debts.ts';
export { deliverWebhooks } from './events/deliver-webhooks.ts';
export { heartbeat } from './heartbeat.ts';
export { askForPhone } from './messaging/ask-for-phone.ts';
export { checkSenders } from './messaging/check-senders.ts';
export { reconcilePayments } from './payments/reconcile-payments.ts';
export { eraseDebtor } from './privacy/erase-debtor.ts';
export { purgeExpired } from './privacy/purge-expired.ts';
export { mailInboxDigests } from './staff-mail/mail-inbox-digests.ts';
export { sendAccountMail } from './staff-mail/send-account-mail.ts';
