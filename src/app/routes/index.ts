import { auditRoutes } from '../../modules/accounts/routes/audit.ts';
import { authRoutes } from '../../modules/accounts/routes/auth.ts';
import { consoleSessionRoutes } from '../../modules/accounts/routes/console-session.ts';
import { identitySignInRoutes } from '../../modules/accounts/routes/identity-sign-in.ts';
import { onboardingRoutes } from '../../modules/accounts/routes/onboarding.ts';
import { accountPages } from '../../modules/accounts/routes/pages.ts';
import { openSessionRoutes } from '../../modules/accounts/routes/sessions.ts';
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
import { debtSearchRoutes } from '../../modules/debts/routes/search.ts';
import { eventRoutes } from '../../modules/events/routes/events.ts';
import { webhookEndpointRoutes } from '../../modules/events/routes/webhooks.ts';
import { channelWebhookRoutes } from '../../modules/messaging/routes/channel-webhooks.ts';
import { channelRoutes } from '../../modules/messaging/routes/channels.ts';
import { unsubscribeRoutes } from '../../modules/messaging/routes/email-unsubscribe.ts';
import { checkoutRoutes } from '../../modules/payments/routes/checkout.ts';
import { paymentRoutes } from '../../modules/payments/routes/payments.ts';
import { settlementRoutes } from '../../modules/payments/routes/settlements.ts';
import { webhookRoutes } from '../../modules/payments/routes/webhook.ts';
import { receiptListRoutes } from '../../modules/receipts/routes/list.ts';
import { receiptRoutes } from '../../modules/receipts/routes/receipts.ts';
import { verifyRoutes } from '../../modules/receipts/routes/verify.ts';
import { receiptArchiveRoutes } from '../../modules/receipts/routes/zip.ts';
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
    ...authRoutes(deps),
    ...consoleSessionRoutes(deps),
    ...identitySignInRoutes(deps),
    ...openSessionRoutes(deps),
    ...accountPages(),
    ...campaignRoutes(deps),
    ...importRoutes(deps),
    ...importFileRoutes(deps),
    ...debtRoutes(deps),
    ...debtSearchRoutes(deps),
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
    ...settleRoutes(deps),
    ...correctionRoutes(deps),
    ...paymentRoutes(deps),
    ...webhookRoutes(deps),
    ...channelWebhookRoutes(deps),
    ...unsubscribeRoutes(deps.services),
    ...checkoutRoutes(deps),
    ...settlementRoutes(deps),
    ...receiptListRoutes(deps),
    ...receiptArchiveRoutes(deps),
    ...receiptRoutes(deps),
    ...verifyRoutes(deps),
    ...channelRoutes(deps),
    ...eventRoutes(deps),
    ...webhookEndpointRoutes(deps),
    ...sandboxDebtorRoutes(deps),
    ...exampleRoutes(deps),
    ...sandboxClockRoutes(deps),
    ...sandboxMailRoutes(deps),
    ...auditRoutes(deps),
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
