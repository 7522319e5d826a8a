import type { HttpDeps } from '../deps.ts';
import type { Route } from '../guard.ts';
import { accountPages } from './account-pages.ts';
import { auditRoutes } from './audit.ts';
import { authRoutes } from './auth/index.ts';
import { campaignRoutes } from './campaigns/campaigns.ts';
import { debtRoutes } from './campaigns/debts.ts';
import { importRoutes } from './campaigns/import.ts';
import { campaignActionRoutes } from './collection/campaigns.ts';
import { debtActionRoutes } from './collection/debts.ts';
import { discoveryRoutes } from './discovery.ts';
import { healthRoutes } from './health.ts';
import { metricsRoutes } from './metrics.ts';
import { onboardingRoutes } from './onboarding/index.ts';
import { checkoutRoutes } from './payments/checkout.ts';
import { paymentRoutes } from './payments/payments.ts';
import { webhookRoutes } from './payments/webhook.ts';
import { receiptRoutes } from './receipts/index.ts';

import { sandboxDebtorRoutes } from './sandbox/debtors.ts';
import { verifyRoutes } from './verify.ts';

/** All routes of the service except the discovery routes, one line for each resource. */
export function allRoutes(deps: HttpDeps): readonly Route[] {
  return [
    ...onboardingRoutes(deps),
    ...authRoutes(deps),
    ...accountPages(),
    ...campaignRoutes(deps),
    ...importRoutes(deps),
    ...debtRoutes(deps),
    ...campaignActionRoutes(deps),
    ...debtActionRoutes(deps),
    ...paymentRoutes(deps),
    ...webhookRoutes(deps),
    ...checkoutRoutes(deps),
    ...receiptRoutes(deps),
    ...verifyRoutes(deps),
    ...sandboxDebtorRoutes(deps),
    ...auditRoutes(deps),
    ...healthRoutes(deps),
    ...metricsRoutes(deps),
  ];
}

/** Adds the discovery routes, which describe all routes including themselves. */
export function everyRoute(deps: HttpDeps, routes: readonly Route[] = allRoutes(deps)): readonly Route[] {
  const everything: readonly Route[] = [...routes, ...discoveryRoutes(deps.config, () => everything)];
  return everything;
}
