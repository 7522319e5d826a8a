import type { CredentialCipher } from '../../../kernel/ports/credential-cipher.ts';
import type { SharedTries, TakeFromSharedRate } from '../../../platform/database/rate-limits.ts';
import type { CollectionDeps } from '../../collection/deps.ts';
import type { ReceiptDeps } from '../../receipts/use-cases/deps.ts';

export interface RightsDeps extends CollectionDeps {
  readonly cipher: CredentialCipher;
  readonly renderer: ReceiptDeps['renderer'];
  /** Each signs and verifies proofs; the first signs. */
  readonly proofSecrets: readonly string[];
  /** The wrong digits of a person, whatever address of theirs they were tried at and from wherever. */
  readonly digitTries: SharedTries;
  /** What a person may ask in a day, and how many files may come with it. */
  readonly takeFromAskRate: TakeFromSharedRate;
  readonly takeFromFileRate: TakeFromSharedRate;
}
