import { statfs } from 'node:fs/promises';
import { createJwtAccessTokens } from '../../modules/accounts/adapters/access-tokens/jwt/jwt-access-tokens.ts';
import { createOidcProviders } from '../../modules/accounts/adapters/identity-providers/oidc/oidc-providers.ts';
import { createOidcSignIn } from '../../modules/accounts/adapters/identity-sign-in/oidc/oidc-sign-in.ts';
import { createOtpauthCodes } from '../../modules/accounts/adapters/one-time-codes/otpauth/otpauth-codes.ts';
import { createSimplewebauthnPasskeys } from '../../modules/accounts/adapters/passkeys/simplewebauthn/simplewebauthn-passkeys.ts';
import { createArgon2Hasher } from '../../modules/accounts/adapters/passwords/argon2/argon2-hasher.ts';
import { isPersonalDomain } from '../../modules/accounts/adapters/personal-domains/lists/personal-domains.ts';
import type { IdentityProviders } from '../../modules/accounts/ports/identity-providers.ts';
import { CODES_PER_HOUR } from '../../modules/accounts/rules/second-factor.ts';
import { createAuditIds } from '../../modules/accounts/use-cases/audit-ids.ts';
import type { AccountDeps } from '../../modules/accounts/use-cases/deps.ts';
import { createLoginLockouts } from '../../modules/accounts/use-cases/login-lockout.ts';
import type { RehearsalRunner } from '../../modules/campaigns/ports/rehearsal-runner.ts';
import type { CollectionDeps } from '../../modules/collection/deps.ts';
import { releaseInboxItems } from '../../modules/debts/queries/case-assignees.ts';
import { createEvidenceKeys } from '../../modules/evidence/use-cases/evidence-keys.ts';
import { QUESTIONS_PER_HOUR } from '../../modules/genuine/rules/content.ts';
import { loadPrices } from '../../modules/messaging/use-cases/load-prices.ts';
import { OPERATOR_CODES_PER_HOUR } from '../../modules/operators/rules/operator-limits.ts';
import type { OperatorDeps } from '../../modules/operators/use-cases/deps.ts';
import type { ReceiptDeps } from '../../modules/receipts/use-cases/deps.ts';
import { createSettlementFileReader } from '../../modules/settlement-files/adapters/file-reader/read-settlement-file.ts';
import { createAesGcmCipher } from '../../platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import type { Config } from '../../platform/config/index.ts';
import { createRateLimit, createTries } from '../../platform/database/rate-limits.ts';
import { addressOf } from '../../platform/mail/mailbox.ts';
import { accountWorkflows } from '../../platform/temporal/account-workflows.ts';
import type { Gateway } from '../../platform/temporal/gateway.ts';
import { privacyWorkflows } from '../../platform/temporal/privacy-workflows.ts';
import { type ApiDeps, type ApiServices, createApiServices } from '../services/api.ts';
import { disconnectAll } from './disconnect-all.ts';
import { composeEvents } from './events.ts';
import { composeSenderSetup } from './sender-setup.ts';
import type { ServiceConfig } from './service-parts.ts';

/** Composes what the operators' console needs besides the accounts. */
function composeOperators(
  config: Config,
  accounts: AccountDeps,
  gateway: Pick<Gateway, 'waitingForOperator'>,
  rates: Pick<OperatorDeps, 'takeFromOperatorLoginRate' | 'takeFromOperatorCodeRate'>,
): OperatorDeps {
  const { namespace, uiUrl } = config.temporal;
  return {
    ...accounts,
    ...rates,
    waitingWorkflows: gateway.waitingForOperator,
    workflowUrl: ({ workflowId, runId }) =>
      uiUrl === undefined
        ? null
        : `${uiUrl.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}/${encodeURIComponent(runId)}`,
    diskSpace: async () => {
      const { bavail, blocks, bsize } = await statfs(config.dataDir);
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    },
  };
}

type ComposedConfig = Config & Pick<ServiceConfig, 'passwordCost'>;

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Composes the use cases of the API. */
export const composeServices = (
  config: ComposedConfig,
  collection: CollectionDeps,
  renderer: ReceiptDeps['renderer'],
  channels: ApiDeps['channels'],
  gateway: Pick<Gateway, 'waitingForOperator'>,
  {
    spreadsheets,
    rehearsals,
    replays,
  }: Pick<ApiDeps, 'spreadsheets' | 'replays'> & { readonly rehearsals: RehearsalRunner },
): ApiServices => {
  const accounts = composeAccounts(config, collection);
  const rate = rateOf(accounts.db);
  return createApiServices({
    accounts,
    operators: composeOperators(config, accounts, gateway, {
      takeFromOperatorLoginRate: rate('operator_login', config.loginRatePerMinute, MINUTE),
      takeFromOperatorCodeRate: rate('operator_code', OPERATOR_CODES_PER_HOUR, HOUR),
    }),
    collection,
    rehearsing: { rehearsals, prices: loadPrices() },
    replays,
    renderer,
    channels,
    senderSetup: composeSenderSetup(config, collection.db),
    spreadsheets,
    settlementFiles: createSettlementFileReader(spreadsheets),
    events: composeEvents(config, collection),
    genuine: {
      ...collection,
      isUnsubscribeSigned: channels.unsubscribeLinks?.isSigned ?? null,
      fromAddress: config.mailFrom === undefined ? null : addressOf(config.mailFrom),
      takeFromGenuineRate: rate('genuine', QUESTIONS_PER_HOUR, HOUR),
    },
    privacy: { db: collection.db, workflows: privacyWorkflows },
    evidenceKeys: createEvidenceKeys(config.evidenceKeys),
    rights: {
      cipher: accounts.cipher,
      proofSecrets: config.receiptSecret,
      digitTries: createTries(accounts.db, { name: 'rights_digits', points: 5, durationSeconds: DAY }),
      takeFromAskRate: rate('rights_asked', 30, DAY),
      takeFromFileRate: rate('rights_files', 5, DAY),
    },
  });
};

const rateOf = (db: AccountDeps['db']) => (name: string, points: number, durationSeconds: number) =>
  createRateLimit(db, { name, points, durationSeconds });

function composeAccounts(
  config: ComposedConfig,
  { db, missingConnections, now, cursors }: CollectionDeps,
): AccountDeps {
  const rate = rateOf(db);
  const cipher = createAesGcmCipher(config.encryptionKey);
  const identityProviders = createOidcProviders({ providers: config.oidcIssuers });
  return {
    db,
    now,
    cipher,
    oneTimeCodes: createOtpauthCodes(),
    passkeys: createSimplewebauthnPasskeys(config),
    cursors,
    missingConnections,
    releaseCases: releaseInboxItems,
    disconnectAll,
    accessTokens: createJwtAccessTokens({ secrets: config.jwtSecret, lifetimeMs: config.accessTokenTtl }),
    identityProviders,
    identitySignIn: composeSignIn(config, identityProviders),
    passwords: createArgon2Hasher({ cost: config.passwordCost }),
    loginLockouts: createLoginLockouts(db),
    takeFromLoginRate: rate('login', config.loginRatePerMinute, MINUTE),
    takeFromCodeRate: rate('second_factor', CODES_PER_HOUR, HOUR),
    takeFromForgottenRate: rate('forgotten', 3, HOUR),
    takeFromMailRate: rate('account_mail', 3, HOUR),
    takeFromInvitationRate: rate('invitation', 10, HOUR),
    takeFromVerificationRate: rate('verification_asked', 1, DAY),
    workflows: accountWorkflows,
    singleClient: config.singleClient,
    operatorTakesMail: config.operatorEmail !== undefined && !config.singleClient,
    isPersonalDomain,
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
