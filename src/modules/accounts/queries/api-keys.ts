import { NOW, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

export const insertApiKey = (tx: Tx, { clientId, keyHash }: { readonly clientId: string; readonly keyHash: string }) =>
  queriesIn(tx).insertInto('api_keys').values({ clientId, keyHash }).execute();

/** Returns undefined when the client has no key. */
export const revokeApiKeyOf = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .updateTable('api_keys')
    .set({ revokedAt: NOW })
    .where('clientId', '=', clientId)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();

/** Whether the key is still one of the client whose transaction this is. */
export const isActiveKey = async (tx: Tx, keyHash: string): Promise<boolean> =>
  undefined !==
  (await queriesIn(tx)
    .selectFrom('api_keys')
    .select('id')
    .where('keyHash', '=', keyHash)
    .where('revokedAt', 'is', null)
    .executeTakeFirst());
