import type { Connection } from '../../../kernel/launch-needs.ts';
import type { AccountWorkflows } from '../../../kernel/ports/account-workflows.ts';
import type { CredentialCipher } from '../../../kernel/ports/credential-cipher.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { TakeFromSharedRate } from '../../../platform/database/rate-limits.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { SealedCursors } from '../../../platform/shared/cursor.ts';
import type { AccessTokens } from '../ports/access-tokens.ts';
import type { IdentityProviders } from '../ports/identity-providers.ts';
import type { IdentitySignIn } from '../ports/identity-sign-in.ts';
import type { OneTimeCodes } from '../ports/one-time-codes.ts';
import type { Passkeys } from '../ports/passkeys.ts';
import type { PasswordHasher } from '../ports/password-hasher.ts';
import type { UsedFrom } from '../queries/sessions.ts';
import type { AuditIds } from './audit-ids.ts';
import type { LoginLockouts } from './login-lockout.ts';

/** The dependencies of the use cases about accounts. Each use case names the ones that it needs by `Pick`. */
export interface AccountDeps {
  readonly db: Database;
  readonly accessTokens: AccessTokens;
  readonly identityProviders: IdentityProviders;
  /** Null when no identity provider is configured. */
  readonly identitySignIn: IdentitySignIn | null;
  readonly cipher: CredentialCipher;
  readonly oneTimeCodes: OneTimeCodes;
  readonly passkeys: Passkeys;
  readonly now: () => Date;
  readonly passwords: PasswordHasher;
  readonly loginLockouts: LoginLockouts;
  readonly takeFromLoginRate: TakeFromSharedRate;
  /** Limits the codes of a second factor that are tried for a member. */
  readonly takeFromCodeRate: TakeFromSharedRate;
  readonly takeFromForgottenRate: TakeFromSharedRate;
  /** Limits each kind of mail to each account. */
  readonly takeFromMailRate: TakeFromSharedRate;
  /** Limits invitations to each address, whoever sends them. */
  readonly takeFromInvitationRate: TakeFromSharedRate;
  /** Limits the mails by which a client asks for its verification. */
  readonly takeFromVerificationRate: TakeFromSharedRate;
  readonly workflows: AccountWorkflows;
  /** Whether the deployment serves one company, which then signs up once and confirms itself. */
  readonly singleClient: boolean;
  /** Whether the operator has an address that clients may have mailed. */
  readonly operatorTakesMail: boolean;
  readonly isPersonalDomain: (domain: string) => boolean;
  readonly auditIds: AuditIds;
  readonly cursors: SealedCursors;
  /** Gives the cases of members who may not work on debts any more back to nobody, in the transaction of that change. */
  readonly releaseCases: (tx: Tx, clientId: string) => Promise<unknown>;
  /** Ends the connections of a client: accounts that take its money, senders, and webhooks. The caller locks the client's row. */
  readonly disconnectAll: (tx: Tx, clientId: string) => Promise<void>;
  /** Lists what a client still has to connect before real people can be contacted and can pay. */
  readonly missingConnections: (tx: Tx, clientId: string) => Promise<readonly Connection[]>;
}

/** The network origin of a request. */
export interface Origin extends UsedFrom {
  /** The key of rate limits: the IPv4 address, or the /64 network of an IPv6 address. */
  readonly rateKey: string;
}
