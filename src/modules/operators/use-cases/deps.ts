import type { AccountWorkflows } from '../../../kernel/ports/account-workflows.ts';
import type { CredentialCipher } from '../../../kernel/ports/credential-cipher.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { TakeFromSharedRate } from '../../../platform/database/rate-limits.ts';
import type { OneTimeCodes } from '../../accounts/ports/one-time-codes.ts';
import type { PasswordHasher } from '../../accounts/ports/password-hasher.ts';
import type { AccountDeps } from '../../accounts/use-cases/deps.ts';
import type { LoginLockouts } from '../../accounts/use-cases/login-lockout.ts';

/** A workflow that only an operator can repair. Its id holds the id of what it is about. */
export interface WaitingWorkflow {
  readonly workflowId: string;
  readonly runId: string;
}

export interface OperatorDeps {
  readonly db: Database;
  readonly passwords: PasswordHasher;
  readonly oneTimeCodes: OneTimeCodes;
  readonly cipher: CredentialCipher;
  readonly loginLockouts: LoginLockouts;
  readonly takeFromOperatorLoginRate: TakeFromSharedRate;
  /** Limits the codes that are tried for an operator whose password is right. */
  readonly takeFromOperatorCodeRate: TakeFromSharedRate;
  readonly missingConnections: AccountDeps['missingConnections'];
  readonly workflows: AccountWorkflows;
  readonly now: () => Date;
  /** Lists some of the workflows that wait for an operator, with their number. */
  readonly waitingWorkflows: () => Promise<{ readonly count: number; readonly some: readonly WaitingWorkflow[] }>;
  /** Where Temporal's UI shows a workflow; null where its address is not known. */
  readonly workflowUrl: (workflow: WaitingWorkflow) => string | null;
  /** The space of the file system that holds the data folder of this process. */
  readonly diskSpace: () => Promise<{ readonly freeBytes: number; readonly totalBytes: number } | null>;
}

/** Who acts at the operators' console, and from where. */
export interface ActingOperator {
  readonly id: string;
  readonly ip: string;
}
