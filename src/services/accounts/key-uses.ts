import type { Database } from '../../db/database.ts';

/** The precision of `lastUsedAt`: `authenticate` notes a use only when the stored one is older than this. */
export const KEY_USE_HOURS = 1;

const STORE = {
  name: 'api_key_used',
  text: `
    update api_keys set last_used_at = now()
    where key_hash = $1 and (last_used_at is null or last_used_at < now() - interval '${KEY_USE_HOURS} hour')`,
};

/** Collects uses of API keys, which are stored apart from the requests so that no request waits for the write. */
export interface KeyUses {
  note(keyHash: string, clientId: string): void;
  /** Stores the collected uses. A use that could not be stored is noted again when the key is used next. */
  store(): Promise<void>;
}

export function createKeyUses(db: Pick<Database, 'write'>): KeyUses {
  const noted = new Map<string, string>();
  return {
    note: (keyHash, clientId) => void noted.set(keyHash, clientId),
    async store() {
      const uses = [...noted];
      noted.clear();
      for (const [keyHash, clientId] of uses) await db.write({ clientId }, STORE, [keyHash]);
    },
  };
}
