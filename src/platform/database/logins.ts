import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { type Client, escapeIdentifier, escapeLiteral } from 'pg';
import { scopeKeyOf } from './scope-signer.ts';
import type { ServingRole } from './tables/tenant-table.ts';

const ITERATIONS = 4_096;

/**
 * Computes the form in which PostgreSQL stores a password (RFC 5802, RFC 7677), so that no statement and no log of the
 * server contains the password. The password must be ASCII, because other characters would have to be normalised.
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyFor = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyFor('Client Key')).digest('base64');
  const serverKey = keyFor('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

/** Passwords that the operator chose. A missing one is generated once and stored where only the owner can read it. */
export interface LoginPasswords {
  readonly quita_app?: string | undefined;
  readonly quita_worker?: string | undefined;
}

const SERVING_ROLES = ['quita_app', 'quita_worker'] as const;
const SUFFIXES: Readonly<Record<ServingRole, string>> = { quita_app: 'api_login', quita_worker: 'worker_login' };
const MAX_NAME_BYTES = 63;

/** Roles belong to the whole server, so the names of a database's logins contain the name of the database. */
export function loginName(database: string, role: ServingRole): string {
  const name = `${database}_${SUFFIXES[role]}`;
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const digest = createHash('sha256').update(database).digest('hex').slice(0, 16);
  return `${Buffer.from(database)
    .toString('latin1')
    .replace(/[^\w-]/g, '_')
    .slice(0, 32)}_${digest}_${SUFFIXES[role]}`;
}

interface KnownLogin {
  readonly role: string;
  readonly login: string;
  readonly secret: string;
  readonly shared: boolean;
}

const KNOWN = `
  select role, login, secret, database_name is null as shared from quita_private.serving_logins
  where database_name is null or database_name = current_database()`;
const REMEMBER = `
  insert into quita_private.serving_logins (role, database_name, login, secret)
  values ($1, current_database(), $2, $3)
  on conflict (role) do update
    set database_name = excluded.database_name, login = excluded.login, secret = excluded.secret`;
const ADD_KEY = `
  insert into quita_private.scope_keys (login, inner_key, outer_key) values ($1, $2, $3)
  on conflict (login, inner_key) do update set made_at = current_timestamp(3)`;
// The key before the present one stays, because running processes use it until they are started again.
const DROP_OLD_KEYS = `
  delete from quita_private.scope_keys k where login = $1 and 2 <= (
    select count(*) from quita_private.scope_keys newer where newer.login = k.login and newer.made_at > k.made_at)`;
const DROP_KEYS_OF_OTHERS = 'delete from quita_private.scope_keys where login <> all ($1)';
/** A role that may create temporary tables could shadow a real table for the next user of its connection. */
const PUBLIC_MAY_SHADOW = `
  select exists (
    select from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) acl
    where d.datname = current_database() and acl.grantee = 0 and acl.privilege_type = 'TEMPORARY'
  ) as may`;

/**
 * Creates the logins of this database under the migration lock. Each is a member of one role, which it cannot become,
 * and of no other. The owner's process runs this at each start, and it changes only what differs.
 */
export async function provisionLogins(owner: Client, passwords: LoginPasswords = {}): Promise<void> {
  const { rows } = await owner.query<KnownLogin>(KNOWN);
  const known = new Map(rows.map((row) => [row.role, row]));
  const { rows: names } = await owner.query<{ database: string; owner: string }>(
    'select current_database() as database, session_user::text as owner',
  );
  const { database = '', owner: ownName = '' } = names[0] ?? {};
  const logins: string[] = [];
  for (const role of SERVING_ROLES) {
    const before = known.get(role);
    const given = passwords[role];
    const secret = given ?? before?.secret ?? randomBytes(32).toString('base64url');
    const login = before?.login ?? loginName(database, role);
    // Copies of one database share such a login, and two of them must not write the same role at once.
    if (before?.shared !== true) await ensureLogin(owner, login, role, secret);
    if (before?.secret !== secret) await owner.query(REMEMBER, [role, login, secret]);
    await keepKey(owner, login, secret);
    logins.push(login);
  }
  const operator = known.get('quita_operator');
  const secret = operator?.login === ownName ? operator.secret : randomBytes(32).toString('base64url');
  if (operator?.secret !== secret) await owner.query(REMEMBER, ['quita_operator', ownName, secret]);
  await keepKey(owner, ownName, secret);
  await owner.query(DROP_KEYS_OF_OTHERS, [[...logins, ownName]]);
  const { rows: shadow } = await owner.query<{ may: boolean }>(PUBLIC_MAY_SHADOW);
  if (shadow[0]?.may === true)
    await owner.query(`revoke temporary on database ${escapeIdentifier(database)} from public`);
}

async function keepKey(owner: Client, login: string, secret: string): Promise<void> {
  const { inner, outer } = scopeKeyOf(secret);
  const { rowCount } = await owner.query(
    `select from quita_private.scope_keys k where login = $1 and inner_key = $2 and not exists (
       select from quita_private.scope_keys newer where newer.login = k.login and newer.made_at > k.made_at)`,
    [login, inner],
  );
  if (rowCount === 1) return;
  await owner.query(ADD_KEY, [login, inner, outer]);
  await owner.query(DROP_OLD_KEYS, [login]);
}

async function ensureLogin(owner: Client, login: string, role: ServingRole, password: string): Promise<void> {
  const name = escapeIdentifier(login);
  const attributes = `login inherit password ${escapeLiteral(scramVerifier(password))}`;
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [login]);
  await owner.query(`${rowCount === 0 ? 'create' : 'alter'} role ${name} ${attributes}`);
  await owner.query(`grant ${role} to ${name} with inherit true, set false`);
  // The owner may end the sessions of the login and has none of its other rights.
  await owner.query(`grant ${name} to current_user with inherit false, set true`);
}
