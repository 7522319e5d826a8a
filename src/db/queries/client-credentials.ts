import type { EntityManager } from '@mikro-orm/postgresql';
import type { CredentialPurpose } from '../entities/client-credential.ts';
import { NOW, prepared, queriesIn } from './builder.ts';

interface CredentialKey {
  readonly clientId: string;
  readonly purpose: CredentialPurpose;
}

export const READ_CREDENTIALS = prepared('client_credentials_read', (queries, params: CredentialKey) =>
  queries
    .selectFrom('client_credentials')
    .select('sealed')
    .where('clientId', '=', params.clientId)
    .where('purpose', '=', params.purpose),
);

export const STORE_CREDENTIALS = prepared(
  'client_credentials_store',
  (queries, params: CredentialKey & { readonly sealed: string; readonly accountId: string }) =>
    queries
      .insertInto('client_credentials')
      .values({
        clientId: params.clientId,
        purpose: params.purpose,
        sealed: params.sealed,
        accountId: params.accountId,
      })
      .onConflict((conflict) =>
        conflict.constraint('client_credentials_purpose').doUpdateSet(({ ref }) => ({
          sealed: ref('excluded.sealed'),
          accountId: ref('excluded.accountId'),
          updatedAt: NOW,
        })),
      ),
);

/** Replaces only the value that was read, because credentials that were stored meanwhile are newer. */
export const RESEAL_CREDENTIALS = prepared(
  'client_credentials_reseal',
  (queries, params: CredentialKey & { readonly sealed: string; readonly resealed: string }) =>
    queries
      .updateTable('client_credentials')
      .set({ sealed: params.resealed })
      .where('clientId', '=', params.clientId)
      .where('purpose', '=', params.purpose)
      .where('sealed', '=', params.sealed),
);

export async function clientExists(em: EntityManager, clientId: string): Promise<boolean> {
  const client = await queriesIn(em).selectFrom('clients').select('id').where('id', '=', clientId).executeTakeFirst();
  return client !== undefined;
}
