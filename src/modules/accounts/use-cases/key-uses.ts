import type { Database } from '../../../platform/database/database.ts';
import { STORE_KEY_USE } from '../queries/bearers.ts';

/** Collects uses of API keys, which are stored apart from the requests so that no request waits for the write. */
export interface KeyUses {
  note(keyHash: string, clientId: string): void;
  /** Stores the collected uses. A use that could not be stored is noted again when the key is used next. */
  store(): Promise<void>;
}

export function createKeyUses(db: Pick<Database, 'writePrepared'>): KeyUses {
  const noted = new Map<string, string>();
  return {
    note: (keyHash, clientId) => void noted.set(keyHash, clientId),
    async store() {
      const uses = [...noted];
      noted.clear();
      for (const [keyHash, clientId] of uses)
        await db.writePrepared({ clientId, auth: true }, STORE_KEY_USE, { keyHash });
    },
  };
}
