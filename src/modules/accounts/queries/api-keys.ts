import type { EntityManager } from '@mikro-orm/postgresql';
import { NOW, queriesIn } from '../../../platform/database/queries/builder.ts';

export const insertApiKey = (
  em: EntityManager,
  { clientId, keyHash }: { readonly clientId: string; readonly keyHash: string },
) => queriesIn(em).insertInto('api_keys').values({ clientId, keyHash }).execute();

/** Returns undefined when the client has no key. */
export const revokeApiKeyOf = (em: EntityManager, clientId: string) =>
  queriesIn(em)
    .updateTable('api_keys')
    .set({ revokedAt: NOW })
    .where('clientId', '=', clientId)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
