import type { CollectionWorkflows } from '../kernel/ports/collection-workflows.ts';
import type { Database } from '../platform/database/database.ts';
import type { SealedCursors } from '../platform/shared/cursor.ts';
import type { PersonKeys } from '../platform/shared/person-keys.ts';
import type { TextHashes } from './genuine/use-cases/text-hashes.ts';
import type { ReceiptLinks } from './messaging/use-cases/receipt-links.ts';
import type { Policy } from './policy/use-cases/load-policy.ts';

/** The dependencies that several folders share. Each use case names the ones that it needs by `Pick`. */
export interface SharedDeps {
  readonly db: Database;
  readonly now: () => Date;
  readonly policy: Policy;
  readonly workflows: CollectionWorkflows;
  readonly personKeys: PersonKeys;
  readonly textHashes: TextHashes;
  readonly publicUrl: string;
  readonly receiptLinks: ReceiptLinks;
  readonly cursors: SealedCursors;
  /** True when no adapter of this deployment reaches real people, so that every launch is a sandbox launch. */
  readonly sandboxOnly: boolean;
  readonly sandboxMaxWaitMs: number;
  /** Writes to the log for operators. The facts contain no personal data. */
  readonly note: (message: string, facts: Readonly<Record<string, string>>) => void;
}
