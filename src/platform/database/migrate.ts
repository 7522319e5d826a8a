import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { type LoginPasswords, provisionLogins } from './logins.ts';
import { MIGRATION_FILE, MIGRATIONS_FOLDER, MIGRATIONS_TABLE, ormConfig } from './orm-config.ts';

const ROLES = ['quita_app', 'quita_worker', 'quita_operator', 'quita_functions'] as const;

// Roles belong to the whole server, so another database's migration may create them at the same moment.
const ensureRole = (role: (typeof ROLES)[number]): string => `
  do $$
  begin
    begin
      if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
    exception when duplicate_object or unique_violation then null;
    end;
    if not pg_has_role(current_user, '${role}', 'set') then
      grant ${role} to current_user with inherit false, set true;
    end if;
  end $$`;

const LET_OPERATOR_WORK = `
  do $$
  begin
    if not pg_has_role('quita_operator', 'quita_worker', 'usage') then
      grant quita_worker to quita_operator with inherit true, set false;
    end if;
  exception when unique_violation or internal_error then null;
  end $$`;

/**
 * Makes the roles of all statements and who may use whose. The migrations have made them too, but neither roles nor
 * memberships are in a dump, so that a database that was restored into another server may lack them.
 */
async function provisionRoles(owner: Client): Promise<void> {
  for (const role of ROLES) await owner.query(ensureRole(role));
  await owner.query(LET_OPERATOR_WORK);
}

const FOLDER = new URL('./routines/', import.meta.url);

/**
 * Creates or replaces the functions of `src/platform/database/routines`, each with the rights that its file grants. The functions
 * belong to `quita_functions`, a role without a login that sees only the columns that they use. The role may create
 * functions only during this transaction.
 *
 * The statements run on every start with the owner's login, so a routine needs no migration of its own. A process that
 * only serves waits for migrations and not for routines: a routine whose parameters or result change gets a new name,
 * and a migration drops the old one.
 */
async function applyRoutines(owner: Client): Promise<void> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'));
  const routines = files.toSorted().map((file) => readFileSync(new URL(file, FOLDER), 'utf8'));
  await owner.query(
    [
      'begin',
      'grant create on schema public to quita_functions',
      'set local role quita_functions',
      ...routines,
      'reset role',
      'revoke create on schema public from quita_functions',
      'commit',
    ].join(';\n'),
  );
}

/** The key of the advisory lock on which instances that start together wait. The number only has to be unique. */
const MIGRATION_LOCK = 7_105_116_097;
/** The oldest version that supports `grant … with inherit, set`. */
const OLDEST_SERVER = 160_000;

export class DatabaseTooNewError extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `The database was migrated by a newer version of Quita (${unknown.join(', ')}): start that version, or give this one another database`,
    );
    this.name = 'DatabaseTooNewError';
  }
}

/** Nothing was released before this migration, which took the place of all earlier ones. */
const FIRST_MIGRATION = 'Migration20261126000000_foundation';

export class DatabaseBeforeReleaseError extends Error {
  constructor() {
    super(
      'A version from before the first release made this database, and this version cannot upgrade it: stay on the commit that you ran before, or export what you need with that commit, back the database up and give this version an empty one',
    );
    this.name = 'DatabaseBeforeReleaseError';
  }
}

export const migrationName = (file: string): string => basename(file, '.ts');

export const knownMigrations = (): Set<string> =>
  new Set(
    readdirSync(MIGRATIONS_FOLDER)
      .filter((file) => MIGRATION_FILE.test(file))
      .map(migrationName),
  );

/** Refuses a database with migrations that this version does not have. */
export function refuseUnknownMigrations(applied: Iterable<string>): void {
  const known = knownMigrations();
  const unknown = [...applied].filter((name) => !known.has(name));
  if (unknown.some((name) => name < FIRST_MIGRATION)) throw new DatabaseBeforeReleaseError();
  if (unknown.length > 0) throw new DatabaseTooNewError(unknown);
}

async function refuseWrongDatabase(client: Client): Promise<void> {
  const server = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  );
  if ((server.rows[0]?.version ?? 0) < OLDEST_SERVER) throw new Error('Quita needs PostgreSQL 16 or newer');
  const table = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    MIGRATIONS_TABLE,
  ]);
  if (table.rows[0]?.exists !== true) return;
  const applied = await client.query<{ name: string }>(`select name from ${MIGRATIONS_TABLE} order by name`);
  refuseUnknownMigrations(applied.rows.map((row) => migrationName(row.name)));
}

/** Brings roles, schema and the serving logins up to date as the owner that `url` names; returns what was applied. */
export async function migrate(url: string, passwords?: LoginPasswords): Promise<string[]> {
  // The lock belongs to this separate connection and ends with it, however the process ends.
  const lock = new Client({ connectionString: url, application_name: 'quita migrate' });
  // A connection that breaks while we wait also fails the query that waits; without a listener it would end the
  // process.
  lock.on('error', () => {});
  try {
    await lock.connect();
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await refuseWrongDatabase(lock);
    await provisionRoles(lock);
    const orm = await MikroORM.init(ormConfig({ clientUrl: url, driverOptions: { connectionString: url } }));
    try {
      const applied = await orm.migrator.up();
      await applyRoutines(lock);
      await provisionLogins(lock, passwords);
      return applied.map((migration) => migrationName(migration.name));
    } finally {
      await orm.close(true);
    }
  } finally {
    await lock.end().catch(() => {});
  }
}
