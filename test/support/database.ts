import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { type PoolRole, servingAccess } from '../../src/db/serving-access.ts';

export interface TestDatabase {
  /** Of the owner, as DATABASE_URL would be. */
  readonly url: string;
  readonly name: string;
  drop(): Promise<void>;
}

export function databaseUrl(url: string, name: string): string {
  const result = new URL(url);
  result.pathname = `/${name}`;
  return result.href;
}

const fromSetup = (name: 'TEST_DATABASE_URL' | 'TEST_DATABASE_TEMPLATE'): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is set by test/support/global-setup.ts`);
  return value;
};

/** One statement over a connection of its own: whoever asks stays connected to nothing. */
export async function ask<Row extends object>(url: string, text: string, params: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, params)).rows;
  } finally {
    await client.end();
  }
}

/** The same as a process that serves: its sessions show their statements, and can be ended, to their own login only. */
export const askAs = async (url: string, role: PoolRole, text: string): Promise<object[]> =>
  ask((await servingAccess(url, role)).url, text);

const askServer = (text: string, params?: unknown[]): Promise<object[]> =>
  ask(fromSetup('TEST_DATABASE_URL'), text, params);

// Each login's sessions may be ended by itself alone, which the owner can become.
const endSessions = (database: string): string => `do $$ declare login text; begin
  for login in select distinct usename from pg_stat_activity where datname = '${database}' and usename is not null loop
    execute format('set local role %I', login);
    perform pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and usename = login;
    reset role;
  end loop;
end $$`;

/**
 * `drop … with (force)` is refused while autovacuum looks at the database, because only a superuser may end that; a
 * plain drop sends it away itself. So only the sessions are ended here: those have a user.
 */
async function dropDatabase(name: string): Promise<void> {
  await askServer(endSessions(name));
  await askServer(`drop database if exists ${name}`);
  // Of a clone there are none: it shares those of the template.
  await askServer(`drop role if exists ${name}_api_login, ${name}_worker_login`);
}

async function create(options: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const testServers = new Client({ connectionString: fromSetup('TEST_DATABASE_URL') });
  await testServers.connect();
  try {
    await testServers.query(`create database ${name} ${options}`);
    // As the migration leaves it; a clone does not take over who may do what with the database itself.
    await testServers.query(`revoke temporary on database ${name} from public`);
  } finally {
    await testServers.end();
  }
  return {
    url: databaseUrl(fromSetup('TEST_DATABASE_URL'), name),
    name,
    drop: () => dropDatabase(name),
  };
}

/** A migrated database of its own; one for a suite is enough. file_copy is the faster one with several at once. */
export const createTestDatabase = (): Promise<TestDatabase> =>
  create(`template ${fromSetup('TEST_DATABASE_TEMPLATE')} strategy file_copy`);

/** For tests of the migrations themselves. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create('template template0');
