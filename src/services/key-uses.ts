import type { Database } from '../db/database.ts';

/** How exactly `lastUsedAt` is kept; `authenticate` notes a use only when the last one is older. */
export const KEY_USE_HOURS = 1;

const STORE = {
  name: 'api_key_used',
  text: `
    update api_keys set last_used_at = now()
    where key_hash = $1 and (last_used_at is null or last_used_at < now() - interval '${KEY_USE_HOURS} hour')`,
};

/** Uses of API keys that are to be written: apart from the requests, none of which waits for it. */
export interface KeyUses {
  note(keyHash: string, clientId: string): void;
  /** Writes what was noted. One that could not be written is noted again by the key's next use. */
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
