/** The workflows that a worker can run, one export each, with the name in `contract.ts`. */
export { checkSenders } from './check-senders.ts';
export { collectDebt } from './collect-debt.ts';
export { deliverWebhooks } from './deliver-webhooks.ts';
export { heartbeat } from './heartbeat.ts';
export { mailInboxDigests } from './mail-inbox-digests.ts';
export { purgeExpired } from './purge-expired.ts';
export { reconcilePayments } from './reconcile-payments.ts';
export { restartLost } from './restart-lost.ts';
export { runCampaign } from './run-campaign.ts';
export { sendAccountMail } from './send-account-mail.ts';
export { sendPasswordReset } from './send-password-reset.ts';
export { wakePausedDebts } from './wake-paused-debts.ts';
