import { invitationPages } from '../../modules/accounts/routes/accept-invitation.ts';
import { auditRoutes } from '../../modules/accounts/routes/audit.ts';
import { authRoutes } from '../../modules/accounts/routes/auth.ts';
import { consoleSessionRoutes } from '../../modules/accounts/routes/console-session.ts';
import { identitySignInRoutes } from '../../modules/accounts/routes/identity-sign-in.ts';
import { memberRoutes } from '../../modules/accounts/routes/members.ts';
import { onboardingRoutes } from '../../modules/accounts/routes/onboarding.ts';
import { accountPages } from '../../modules/accounts/routes/pages.ts';
import { passkeyRoutes } from '../../modules/accounts/routes/passkeys.ts';
import { secondFactorRoutes } from '../../modules/accounts/routes/second-factor.ts';
import { openSessionRoutes } from '../../modules/accounts/routes/sessions.ts';
import { agreementRoutes } from '../../modules/agreements/routes/agreements.ts';
import { offerRoutes } from '../../modules/agreements/routes/offers.ts';
import { offersPolicyRoutes } from '../../modules/agreements/routes/offers-policy.ts';
import { negativationRoutes } from '../../modules/bureaus/routes/negativation.ts';
import { campaignRoutes } from '../../modules/campaigns/routes/campaigns.ts';
import { campaignActionRoutes } from '../../modules/campaigns/routes/change.ts';
import { importRoutes } from '../../modules/campaigns/routes/import.ts';
import { importFileRoutes } from '../../modules/campaigns/routes/import-file.ts';
import { ownRuleRoutes } from '../../modules/campaigns/routes/own-rules.ts';
import { policyRoutes } from '../../modules/campaigns/routes/policy.ts';
import { rehearsalRoutes } from '../../modules/campaigns/routes/rehearse.ts';
import { sandboxClockRoutes } from '../../modules/campaigns/routes/sandbox/clock.ts';
import { sandboxDebtorRoutes } from '../../modules/campaigns/routes/sandbox/debtors.ts';
import { exampleRoutes } from '../../modules/campaigns/routes/sandbox/example.ts';
import { sandboxMailRoutes } from '../../modules/campaigns/routes/sandbox/mails.ts';
import { campaignSettingRoutes } from '../../modules/campaigns/routes/settings.ts';
import { messageTextRoutes } from '../../modules/campaigns/routes/texts.ts';
import { debtsActionRoutes } from '../../modules/collection/routes/actions.ts';
import { answerRoutes } from '../../modules/collection/routes/answer.ts';
import { attachmentRoutes } from '../../modules/collection/routes/attachments.ts';
import { debtActionRoutes } from '../../modules/collection/routes/change.ts';
import { correctionRoutes } from '../../modules/collection/routes/correct.ts';
import { inboxRoutes } from '../../modules/collection/routes/inbox.ts';
import { noteRoutes } from '../../modules/collection/routes/notes.ts';
import { debtRoutes } from '../../modules/collection/routes/read.ts';
import { settleRoutes } from '../../modules/collection/routes/settle.ts';
import { quoteRoutes } from '../../modules/debts/routes/quote.ts';
import { debtSearchRoutes } from '../../modules/debts/routes/search.ts';
import { eventRoutes } from '../../modules/events/routes/events.ts';
import { webhookEndpointRoutes } from '../../modules/events/routes/webhooks.ts';
import { evidenceRoutes } from '../../modules/evidence/routes/evidence.ts';
import { verifyEvidenceRoutes } from '../../modules/evidence/routes/verify-evidence.ts';
import { genuineRoutes } from '../../modules/genuine/routes/genuine.ts';
import { channelWebhookRoutes } from '../../modules/messaging/routes/channel-webhooks.ts';
import { channelRoutes } from '../../modules/messaging/routes/channels.ts';
import { unsubscribeRoutes } from '../../modules/messaging/routes/email-unsubscribe.ts';
import { savedAnswerRoutes } from '../../modules/messaging/routes/saved-answers.ts';
import { operatorRoutes } from '../../modules/operators/routes/operator.ts';
import { agreementActionRoutes } from '../../modules/payments/routes/agreements.ts';
import { checkoutRoutes } from '../../modules/payments/routes/checkout.ts';
import { paymentAccountRoutes } from '../../modules/payments/routes/payment-accounts.ts';
import { paymentRoutes } from '../../modules/payments/routes/payments.ts';
import { pixNotificationRoutes } from '../../modules/payments/routes/pix-notifications.ts';
import { refundRoutes } from '../../modules/payments/routes/refunds.ts';
import { settlementRoutes } from '../../modules/payments/routes/settlements.ts';
import { undoRoutes } from '../../modules/payments/routes/undo-settlement.ts';
import { webhookRoutes } from '../../modules/payments/routes/webhook.ts';
import { privacyRoutes } from '../../modules/privacy/routes/privacy.ts';
import { agreementDocumentRoutes } from '../../modules/receipts/routes/agreements.ts';
import { annualQuittanceRoutes } from '../../modules/receipts/routes/annual-quittances.ts';
import { receiptListRoutes } from '../../modules/receipts/routes/list.ts';
import { receiptRoutes } from '../../modules/receipts/routes/receipts.ts';
import { verifyRoutes } from '../../modules/receipts/routes/verify.ts';
import { receiptArchiveRoutes } from '../../modules/receipts/routes/zip.ts';
import { rightsRequestRoutes } from '../../modules/rights/routes/requests.ts';
import { rightsPageRoutes } from '../../modules/rights/routes/rights-page.ts';
import { orphanRoutes } from '../../modules/settlement-files/routes/orphans.ts';
import { settlementFileRoutes } from '../../modules/settlement-files/routes/settlement-file.ts';
import { termsRoutes } from '../../modules/terms/routes/terms.ts';
import type { Route } from '../../platform/http/define-route.ts';
import type { HttpDeps } from '../../platform/http/deps.ts';
import { consoleRoutes } from './console.ts';
import { discoveryRoutes } from './discovery.ts';
import { healthRoutes } from './health.ts';
import { metricsRoutes } from './metrics.ts';

/** All routes of the service except the discovery routes, one line for each resource. */
export function allRoutes(deps: HttpDeps): readonly Route[] {
  return [
    ...onboardingRoutes(deps),
    ...memberRoutes(deps),
    ...invitationPages(deps),
    ...authRoutes(deps),
    ...secondFactorRoutes(deps),
    ...passkeyRoutes(deps),
    ...consoleSessionRoutes(deps),
    ...identitySignInRoutes(deps),
    ...openSessionRoutes(deps),
    ...operatorRoutes(deps),
    ...accountPages(),
    ...campaignRoutes(deps),
    ...importRoutes(deps),
    ...importFileRoutes(deps),
    ...debtRoutes(deps),
    ...debtSearchRoutes(deps),
    ...quoteRoutes(deps),
    ...termsRoutes(deps),
    ...agreementDocumentRoutes(deps),
    ...annualQuittanceRoutes(deps),
    ...agreementRoutes(deps),
    ...agreementActionRoutes(deps),
    ...offerRoutes(deps),
    ...offersPolicyRoutes(deps),
    ...debtsActionRoutes(deps),
    ...attachmentRoutes(deps),
    ...inboxRoutes(deps),
    ...rehearsalRoutes(deps),
    ...campaignActionRoutes(deps),
    ...campaignSettingRoutes(deps),
    ...messageTextRoutes(deps),
    ...debtActionRoutes(deps),
    ...noteRoutes(deps),
    ...answerRoutes(deps),
    ...negativationRoutes(deps),
    ...settleRoutes(deps),
    ...correctionRoutes(deps),
    // Before the payment of a debt, whose id stands at the same place.
    ...orphanRoutes(deps),
    ...paymentRoutes(deps),
    ...refundRoutes(deps),
    ...webhookRoutes(deps),
    ...pixNotificationRoutes(deps),
    ...paymentAccountRoutes(deps),
    ...channelWebhookRoutes(deps),
    ...unsubscribeRoutes(deps.services),
    ...checkoutRoutes(deps),
    ...settlementRoutes(deps),
    ...settlementFileRoutes(deps),
    ...undoRoutes(deps),
    ...receiptListRoutes(deps),
    ...receiptArchiveRoutes(deps),
    ...receiptRoutes(deps),
    ...verifyRoutes(deps),
    ...evidenceRoutes(deps),
    ...genuineRoutes(deps),
    ...verifyEvidenceRoutes(),
    ...channelRoutes(deps),
    ...savedAnswerRoutes(deps),
    ...eventRoutes(deps),
    ...webhookEndpointRoutes(deps),
    ...sandboxDebtorRoutes(deps),
    ...exampleRoutes(deps),
    ...sandboxClockRoutes(deps),
    ...sandboxMailRoutes(deps),
    ...auditRoutes(deps),
    ...rightsPageRoutes(deps),
    ...rightsRequestRoutes(deps),
    ...privacyRoutes(deps),
    ...policyRoutes(deps),
    ...ownRuleRoutes(deps),
    ...consoleRoutes(deps),
    ...healthRoutes(deps),
    ...metricsRoutes(deps),
  ];
}

/** Adds the discovery routes, which describe all routes including themselves. */
export function everyRoute(deps: HttpDeps, routes: readonly Route[] = allRoutes(deps)): readonly Route[] {
  const everything: readonly Route[] = [...routes, ...discoveryRoutes(deps.config, () => everything)];
  return everything;
}
