import { createJwtAccessTokens } from '../adapters/access-tokens/jwt/jwt-access-tokens.ts';
import { createAesGcmCipher } from '../adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import { createOidcProviders } from '../adapters/identity-providers/oidc/oidc-providers.ts';
import { createOidcSignIn } from '../adapters/identity-sign-in/oidc/oidc-sign-in.ts';
import { createArgon2Hasher } from '../adapters/passwords/argon2/argon2-hasher.ts';
import { createPersonalDomains } from '../adapters/personal-domains/lists/personal-domains.ts';
import type { Config } from '../config/index.ts';
import { createLoginLockouts } from '../db/login-lockout.ts';
import { createRateLimit } from '../db/rate-limits.ts';
import type { IdentityProviders } from '../ports/identity-providers.ts';
import type { RehearsalRunner } from '../ports/rehearsal-runner.ts';
import type { AccountDeps } from '../services/accounts/deps.ts';
import { type ApiDeps, type ApiServices, createApiServices } from '../services/api.ts';
import type { CollectionDeps } from '../services/collection/deps.ts';
import type { ReceiptDeps } from '../services/receipts/deps.ts';
import { createAuditIds } from '../services/shared/audit-ids.ts';
import { loadPrices } from '../services/shared/load-prices.ts';
import { accountWorkflows } from '../temporal/account-workflows.ts';
import { composeEvents } from './events.ts';

const MINUTE = 60;
const HOUR = 3_600;

/** Composes the use cases of the API. */
export const composeServices = (
  config: Config,
  collection: CollectionDeps,
  renderer: ReceiptDeps['renderer'],
  channels: ApiDeps['channels'],
  { spreadsheets, rehearsals }: Pick<ApiDeps, 'spreadsheets'> & { readonly rehearsals: RehearsalRunner },
): ApiServices =>
  createApiServices({
    accounts: composeAccounts(config, collection),
    collection,
    rehearsing: { rehearsals, prices: loadPrices() },
    renderer,
    channels,
    spreadsheets,
    events: composeEvents(config, collection),
  });

function composeAccounts(config: Config, { db, missingConnections, now, cursors }: CollectionDeps): AccountDeps {
  const rate = (name: string, points: number, durationSeconds: number) =>
    createRateLimit(db, { name, points, durationSeconds });
  const cipher = createAesGcmCipher(config.encryptionKey);
  const identityProviders = createOidcProviders({ providers: config.oidcIssuers });
  return {
    db,
    now,
    cipher,
    cursors,
    missingConnections,
    accessTokens: createJwtAccessTokens({ secrets: config.jwtSecret, lifetimeMs: config.accessTokenTtl }),
    identityProviders,
    identitySignIn: composeSignIn(config, identityProviders),
    passwords: createArgon2Hasher(),
    loginLockouts: createLoginLockouts(db),
    takeFromLoginRate: rate('login', config.loginRatePerMinute, MINUTE),
    takeFromForgottenRate: rate('forgotten', 3, HOUR),
    takeFromMailRate: rate('account_mail', 3, HOUR),
    workflows: accountWorkflows,
    isPersonalDomain: createPersonalDomains(),
    auditIds: createAuditIds(config.encryptionKey[0] ?? ''),
  };
}

function composeSignIn(config: Config, { verify }: IdentityProviders): AccountDeps['identitySignIn'] {
  const { consoleIdentity, oidcClientSecret, publicUrl } = config;
  if (consoleIdentity === null) return null;
  return createOidcSignIn({
    ...consoleIdentity,
    clientSecret: oidcClientSecret,
    redirectUri: `${publicUrl}/api/session/identity/callback`,
    verify,
  });
}
