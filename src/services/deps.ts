import type { Database } from '../db/database.ts';
import type { LoginLockouts } from '../db/login-lockout.ts';
import type { TakeFromSharedRate } from '../db/rate-limits.ts';
import type { AccessTokens } from '../ports/access-tokens.ts';
import type { AccountWorkflows } from '../ports/account-workflows.ts';
import type { IdentityProviders } from '../ports/identity-providers.ts';
import type { PasswordHasher } from '../ports/password-hasher.ts';
import type { AuditIds } from './audit-ids.ts';
import type { CollectionDeps } from './collection/deps.ts';
import type { ReceiptDeps } from './receipts/deps.ts';

/** All that use cases are made of; each asks for what it needs by `Pick`. */
export interface ServiceDeps {
  readonly db: Database;
  readonly accessTokens: AccessTokens;
  readonly identityProviders: IdentityProviders;
  readonly passwords: PasswordHasher;
  readonly loginLockouts: LoginLockouts;
  readonly takeFromLoginRate: TakeFromSharedRate;
  readonly takeFromForgottenRate: TakeFromSharedRate;
  /** Of each kind of mail to each account. */
  readonly takeFromMailRate: TakeFromSharedRate;
  readonly workflows: AccountWorkflows;
  readonly isPersonalDomain: (domain: string) => boolean;
  /** Epoch milliseconds of the real clock. */
  readonly now: () => number;
  /** The deployment's adapters are the sandbox ones, so every debt is a sandbox debt. */
  readonly sandboxOnly: boolean;
  readonly auditIds: AuditIds;
  readonly collection: CollectionDeps;
  readonly renderer: ReceiptDeps['renderer'];
}

/** Where a request comes from. */
export interface Origin {
  readonly ip: string;
  /** What rates count by: the address, or its /64. */
  readonly rateKey: string;
}
