import { type Selectable, sql } from 'kysely';
import { NOW, prepared, type Tables } from './builder.ts';

type Client = Selectable<Tables['clients']>;

/** The columns of the routine `session_clients`. */
interface ClientOfSession extends Pick<Client, 'id' | 'status'> {
  readonly key: string;
}

export const CLIENTS_OF_SESSIONS = prepared(
  'session_clients',
  (queries, { sessionIds }: { readonly sessionIds: readonly string[] }) =>
    queries.selectFrom(sql<ClientOfSession>`session_clients(${sessionIds})`.as('clients')).selectAll(),
);

/** The precision of `lastUsedAt`: the last use of an API key is stored again only when the stored one is older. */
const KEY_USE_HOURS = 1;

const USE_IS_OLD = sql<boolean>`(last_used_at is null
  or last_used_at < quita_now() - make_interval(hours => ${sql.lit(KEY_USE_HOURS)}))`;

export const STORE_KEY_USE = prepared('api_key_used', (queries, { keyHash }: { readonly keyHash: string }) =>
  queries.updateTable('api_keys').set({ lastUsedAt: NOW }).where('keyHash', '=', keyHash).where(USE_IS_OLD),
);

/**
 * The statement sets its scope, which is signed, for its own transaction before it reads. `offset 0` keeps the planner
 * from reading first; row security would then show nothing.
 */
export const CLIENTS_OF_API_KEYS = prepared(
  'api_key_clients',
  (queries, params: { readonly keyHashes: readonly string[]; readonly signedScope: string }) =>
    queries
      .selectFrom(
        sql<{ auth: string }>`set_config('app.auth', ${params.signedScope}, true)`.as<'scope'>(sql`scope (auth)`),
      )
      .crossJoinLateral((from) =>
        from
          .selectFrom('api_keys')
          .innerJoin('clients', 'clients.id', 'api_keys.clientId')
          .select(['api_keys.keyHash as key', 'clients.id', 'clients.status'])
          .select(USE_IS_OLD.as('useIsOld'))
          .where('api_keys.keyHash', '=', sql<string>`any (${params.keyHashes}::text[])`)
          .where('api_keys.revokedAt', 'is', null)
          .where(sql<boolean>`scope.auth <> ''`)
          .offset(sql.lit(0))
          .as('found'),
      )
      .selectAll('found'),
);
