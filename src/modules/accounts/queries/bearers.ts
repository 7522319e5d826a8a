import { type Selectable, sql } from 'kysely';
import type { MemberRole } from '../../../kernel/member-rights.ts';
import { NOW, prepared, type Tables } from '../../../platform/database/queries/builder.ts';

type Client = Selectable<Tables['clients']>;

/** The columns of the routine `members_of_sessions`. */
interface MemberOfSession extends Pick<Client, 'id' | 'status'> {
  readonly key: string;
  readonly memberId: string;
  readonly memberName: string;
  readonly role: MemberRole;
  readonly hasFactor: boolean;
  readonly lacksFactor: boolean;
  readonly steppedUp: boolean;
}

export const MEMBERS_OF_SESSIONS = prepared(
  'session_members',
  (queries, { sessionIds }: { readonly sessionIds: readonly string[] }) =>
    queries.selectFrom(sql<MemberOfSession>`members_of_sessions(${sessionIds})`.as('members')).selectAll(),
);

/** The precision of `lastUsedAt`: the last use of an API key is stored again only when the stored one is older. */
const KEY_USE_HOURS = 1;

const USE_IS_OLD = sql<boolean>`(last_used_at is null
  or last_used_at < quita_now() - make_interval(hours => ${sql.lit(KEY_USE_HOURS)}))`;

export const STORE_KEY_USE = prepared('api_key_used', (queries, { keyHash }: { readonly keyHash: string }) =>
  queries.updateTable('api_keys').set({ lastUsedAt: NOW }).where('keyHash', '=', keyHash).where(USE_IS_OLD),
);

/** The columns of the routine `clients_of_api_keys`. */
interface ClientOfApiKey extends Pick<Client, 'id' | 'status'> {
  readonly key: string;
  readonly useIsOld: boolean;
}

export const CLIENTS_OF_API_KEYS = prepared(
  'api_key_clients',
  (queries, { keyHashes }: { readonly keyHashes: readonly string[] }) =>
    queries
      .selectFrom(sql<ClientOfApiKey>`clients_of_api_keys(${keyHashes}, ${sql.lit(KEY_USE_HOURS)})`.as('clients'))
      .selectAll(),
);
