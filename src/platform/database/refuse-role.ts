import type { Pool } from 'pg';
import type { PoolRole } from './serving-access.ts';

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
