import { createJwtAccessTokens } from '../adapters/access-tokens/jwt/jwt-access-tokens.ts';
import { createAesGcmCipher } from '../adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import { createOidcProviders } from '../adapters/identity-providers/oidc/oidc-providers.ts';
import { createArgon2Hasher } from '../adapters/passwords/argon2/argon2-hasher.ts';
import { createPersonalDomains } from '../adapters/personal-domains/lists/personal-domains.ts';
import type { Config } from '../config/index.ts';
import { createLoginLockouts } from '../db/login-lockout.ts';
import { createRateLimit } from '../db/rate-limits.ts';
import { type ApiServices, createApiServices } from '../services/api.ts';
import type { CollectionDeps } from '../services/collection/deps.ts';
import type { ReceiptDeps } from '../services/receipts/deps.ts';
import { createAuditIds } from '../services/shared/audit-ids.ts';
import { accountWorkflows } from '../temporal/account-workflows.ts';

/** Composes the use cases of the API. */
export const composeServices = (
  config: Config,
  collection: CollectionDeps,
  renderer: ReceiptDeps['renderer'],
): ApiServices =>
  createApiServices({
    db: collection.db,
    accessTokens: createJwtAccessTokens({ secrets: config.jwtSecret, lifetimeMs: config.accessTokenTtl }),
    identityProviders: createOidcProviders({ providers: config.oidcIssuers }),
    passwords: createArgon2Hasher(),
    loginLockouts: createLoginLockouts(collection.db),
    takeFromLoginRate: createRateLimit(collection.db.pool, {
      name: 'login',
      points: config.loginRatePerMinute,
      durationSeconds: 60,
    }),
    takeFromForgottenRate: createRateLimit(collection.db.pool, {
      name: 'forgotten',
      points: 3,
      durationSeconds: 3_600,
    }),
    takeFromMailRate: createRateLimit(collection.db.pool, {
      name: 'account_mail',
      points: 3,
      durationSeconds: 3_600,
    }),
    workflows: accountWorkflows,
    isPersonalDomain: createPersonalDomains(),
    now: Date.now,
    sandboxOnly: config.messagingChannel === 'sandbox',
    auditIds: createAuditIds({
      secret: config.encryptionKey[0] ?? '',
      cipher: createAesGcmCipher(config.encryptionKey),
    }),
    collection,
    renderer,
  });
