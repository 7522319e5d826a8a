import type { Route } from '../define-route.ts';
import type { HttpDeps } from '../deps.ts';
import { auditRoutes } from './accounts/audit.ts';
import { authRoutes } from './accounts/auth.ts';
import { consoleSessionRoutes } from './accounts/console-session.ts';
import { identitySignInRoutes } from './accounts/identity-sign-in.ts';
import { onboardingRoutes } from './accounts/onboarding.ts';
import { accountPages } from './accounts/pages.ts';
import { openSessionRoutes } from './accounts/sessions.ts';
import { campaignRoutes } from './campaigns/campaigns.ts';
import { campaignActionRoutes } from './campaigns/change.ts';
import { importRoutes } from './campaigns/import.ts';
import { importFileRoutes } from './campaigns/import-file.ts';
import { rehearsalRoutes } from './campaigns/rehearse.ts';
import { campaignSettingRoutes } from './campaigns/settings.ts';
import { messageTextRoutes } from './campaigns/texts.ts';
import { debtsActionRoutes } from './debts/actions.ts';
import { answerRoutes } from './debts/answer.ts';
import { attachmentRoutes } from './debts/attachments.ts';
import { debtActionRoutes } from './debts/change.ts';
import { correctionRoutes } from './debts/correct.ts';
import { inboxRoutes } from './debts/inbox.ts';
import { noteRoutes } from './debts/notes.ts';
import { debtRoutes } from './debts/read.ts';
import { debtSearchRoutes } from './debts/search.ts';
import { settleRoutes } from './debts/settle.ts';
import { consoleRoutes } from './discovery/console.ts';
import { healthRoutes } from './discovery/health.ts';
import { discoveryRoutes } from './discovery/index.ts';
import { metricsRoutes } from './discovery/metrics.ts';
import { eventRoutes } from './events/events.ts';
import { webhookEndpointRoutes } from './events/webhooks.ts';
import { channelWebhookRoutes } from './messaging/channel-webhooks.ts';
import { channelRoutes } from './messaging/channels.ts';
import { unsubscribeRoutes } from './messaging/email-unsubscribe.ts';
import { checkoutRoutes } from './payments/checkout.ts';
import { paymentRoutes } from './payments/payments.ts';
import { settlementRoutes } from './payments/settlements.ts';
import { webhookRoutes } from './payments/webhook.ts';
import { policyRoutes } from './policy/index.ts';
import { ownRuleRoutes } from './policy/own-rules.ts';
import { receiptRoutes } from './receipts/index.ts';
import { receiptListRoutes } from './receipts/list.ts';
import { verifyRoutes } from './receipts/verify.ts';
import { receiptArchiveRoutes } from './receipts/zip.ts';
import { sandboxClockRoutes } from './sandbox/clock.ts';
import { sandboxDebtorRoutes } from './sandbox/debtors.ts';
import { exampleRoutes } from './sandbox/example.ts';
import { sandboxMailRoutes } from './sandbox/mails.ts';

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
