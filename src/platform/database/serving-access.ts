import { Client, type Pool } from 'pg';
import { createScopeSigner, type SignScope } from './scope-signer.ts';
import type { ServingRole } from './tables/tenant-table.ts';

/** The roles of pools. `quita_operator` is for commands of the operator, who has the owner's URL. */
export type PoolRole = ServingRole | 'quita_operator';

export interface ServingAccess {
  /** The URL of the login that serves. */
  readonly url: string;
  readonly sign: SignScope;
}

interface Who {
  readonly login: string;
  readonly ownsLogins: boolean | null;
  readonly serves: ServingRole | null;
}

// A superuser is a member of every role, so it counts as an owner.
const WHO = `
  select session_user::text as login,
    (select has_schema_privilege(oid, 'usage') from pg_namespace where nspname = 'quita_private') as "ownsLogins",
    (select rolname from pg_roles where rolname in ('quita_app', 'quita_worker')
      and pg_has_role(session_user, oid, 'usage') and not (select rolsuper from pg_roles where rolname = session_user)
      limit 1) as serves`;
const LOGIN = `
  select login, secret from quita_private.serving_logins
  where role = $1 and (database_name is null or database_name = current_database())`;

/** Nobody waits for an answer while a service starts, and a machine that has just been started is busy. */
const CONNECT_TIMEOUT_MS = 30_000;

const askAs = async <T>(url: string, ask: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({
    connectionString: url,
    application_name: 'quita',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await ask(client);
  } finally {
    await client.end().catch(() => {});
  }
};

const whoIs = async (client: Client): Promise<Who> => {
  const { rows } = await client.query<Who>(WHO);
  return rows[0] ?? { login: '', ownsLogins: null, serves: null };
};

/** Returns the role that this URL's login serves as, or null when it is the owner's login. */
export const servesAs = (url: string): Promise<ServingRole | null> =>
  askAs(url, async (client) => (await whoIs(client)).serves);

const NOT_READY = 'The database has no serving logins yet: run `quita migrate` with the DATABASE_URL of its owner';

function withLogin(url: string, login: string, password: string): string {
  const result = new URL(url);
  result.username = encodeURIComponent(login);
  result.password = encodeURIComponent(password);
  return result.href;
}

/** Returns the URL and the signer of a role. The given URL is the owner's, or already that of the role's own login. */
export const servingAccess = (url: string, role: PoolRole): Promise<ServingAccess> =>
  askAs(url, async (client) => {
    const { login, ownsLogins, serves } = await whoIs(client);
    if (serves !== null) return ownAccess(url, { login, serves, role });
    if (ownsLogins !== true) throw new Error(NOT_READY);
    const { rows } = await client.query<{ login: string; secret: string }>(LOGIN, [role]);
    const [own] = rows;
    if (own === undefined) throw new Error(NOT_READY);
    const sign = createScopeSigner(own.secret);
    return { sign, url: role === 'quita_operator' ? url : withLogin(url, own.login, own.secret) };
  });

function ownAccess(
  url: string,
  { login, serves, role }: { readonly login: string; readonly serves: ServingRole; readonly role: PoolRole },
): ServingAccess {
  if (serves !== role) {
    throw new Error(
      role === 'quita_operator'
        ? `The login ${login} only serves: this command needs the DATABASE_URL of the database's owner`
        : `The login ${login} serves as ${serves}, not as ${role}: this process needs the DATABASE_URL of the other login`,
    );
  }
  const password = decodeURIComponent(new URL(url).password);
  if (password === '')
    throw new Error(`The DATABASE_URL of the login ${login} must hold its password: scopes are signed by it`);
  return { url, sign: createScopeSigner(password) };
}

interface Rights {
  readonly login: string;
  readonly current: string;
  readonly seesAll: boolean;
  readonly makesRoles: boolean;
  readonly owns: boolean;
  readonly member: boolean;
  readonly shadows: boolean;
  readonly others: readonly string[];
}

// `member` lists the other roles that the login could become by `set role` or whose rights it has.
const RIGHTS = `
  select session_user::text as login, current_user::text as current,
    rolsuper or rolbypassrls as "seesAll", rolcreaterole or rolreplication as "makesRoles",
    pg_has_role(current_user, $1, 'usage') as member,
    has_database_privilege(current_user, current_database(), 'temporary') as shadows,
    exists (select from pg_class where relowner = me.oid and relnamespace = 'public'::regnamespace)
      or exists (select from pg_database where datname = current_database() and datdba = me.oid) as owns,
    array(select other.rolname::text from pg_roles other
      where pg_has_role(me.oid, other.oid, 'member') and other.oid <> me.oid and other.rolname <> $1
      order by 1) as others
  from pg_roles me where rolname = current_user`;

/** Refuses to start when injected SQL could do more than the statements of the role. */
export async function refuseRoleThatSeesAll(pool: Pool, role: PoolRole): Promise<void> {
  const { rows } = await pool.query<Rights>(RIGHTS, [role]);
  const [rights] = rows;
  if (rights?.member !== true) throw new Error(`The database serves as ${rights?.current}, not as ${role}`);
  const refuse = (why: string): never => {
    throw new Error(`The database login ${rights.login} ${why}: tenants are not isolated`);
  };
  if (rights.seesAll) refuse('ignores row security (superuser or bypassrls)');
  if (rights.owns) refuse('owns tables or the database');
  // The operator's commands run with the owner's login, and no request reaches them.
  if (role === 'quita_operator') return;
  if (rights.makesRoles) refuse('may make roles or replicate');
  if (rights.others.length > 0) refuse(`is also ${rights.others.join(', ')}`);
  if (rights.shadows) refuse('may make temporary tables, in the place of real ones (`quita migrate` ends that)');
}
