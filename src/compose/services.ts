import { createJwtAccessTokens } from '../adapters/access-tokens/jwt/jwt-access-tokens.ts';
import { createOidcProviders } from '../adapters/identity-providers/oidc/oidc-providers.ts';
import { createArgon2Hasher } from '../adapters/passwords/argon2/argon2-hasher.ts';
import { createPersonalDomains } from '../adapters/personal-domains/lists/personal-domains.ts';
import type { Config } from '../config/index.ts';
import type { Database } from '../db/database.ts';
import { createLoginLockouts } from '../db/login-lockout.ts';
import { createRateLimit } from '../db/rate-limits.ts';
import { createServices, type Services } from '../services/index.ts';
import type { PaymentDeps } from '../services/payments/deps.ts';
import { accountWorkflows } from '../temporal/account-workflows.ts';

/** What the API's use cases are made of. */
export const composeServices = (config: Config, db: Database, payments: PaymentDeps): Services =>
  createServices({
    db,
    accessTokens: createJwtAccessTokens({ secrets: config.jwtSecret, lifetimeMs: config.accessTokenTtl }),
    identityProviders: createOidcProviders({ providers: config.oidcIssuers }),
    passwords: createArgon2Hasher(),
    loginLockouts: createLoginLockouts(db),
    takeFromLoginRate: createRateLimit(db.pool, {
      name: 'login',
      points: config.loginRatePerMinute,
      durationSeconds: 60,
    }),
    takeFromForgottenRate: createRateLimit(db.pool, { name: 'forgotten', points: 3, durationSeconds: 3_600 }),
    workflows: accountWorkflows,
    isPersonalDomain: createPersonalDomains(),
    now: Date.now,
    payments,
    sandboxOnly: config.messagingChannel === 'sandbox',
  });
