import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { type PoolRole, servingAccess } from '../src/platform/database/serving-access.ts';

export interface TestDatabase {
  /** The URL of the owner, as in DATABASE_URL. */
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
  if (value === undefined) throw new Error(`${name} is set by testing/global-setup.ts`);
  return value;
};

/** Runs one statement on a separate connection, so that no connection stays open. */
export async function ask<Row extends object>(url: string, text: string, params: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, params)).rows;
  } finally {
    await client.end();
  }
}

/** Runs one statement as a serving login, because only that login sees and ends its sessions. */
export const askAs = async (url: string, role: PoolRole, text: string): Promise<object[]> =>
  ask((await servingAccess(url, role)).url, text);

const askServer = (text: string, params?: unknown[]): Promise<object[]> =>
  ask(fromSetup('TEST_DATABASE_URL'), text, params);

// Only a login itself may end its sessions, and the owner can become that login.
const endSessions = (database: string): string => `do $$ declare login text; begin
  for login in select distinct usename from pg_stat_activity where datname = '${database}' and usename is not null loop
    execute format('set local role %I', login);
    perform pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and usename = login;
    reset role;
  end loop;
end $$`;

/**
 * `drop … with (force)` is refused while autovacuum works on the database, because only a superuser may end that; a
 * plain drop ends it by itself. So only the sessions with a user are ended here.
 */
async function dropDatabase(name: string): Promise<void> {
  await askServer(endSessions(name));
  await askServer(`drop database if exists ${name}`);
  // A clone has no logins of its own, because it shares those of the template.
  await askServer(`drop role if exists ${name}_api_login, ${name}_worker_login`);
}

async function create(options: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const testServers = new Client({ connectionString: fromSetup('TEST_DATABASE_URL') });
  await testServers.connect();
  try {
    await testServers.query(`create database ${name} ${options}`);
    // The privileges are set as the migration sets them, because a clone does not copy privileges of the database
    // itself.
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

/** Creates a migrated database; one for each suite is enough. file_copy is faster when several are created at once. */
export const createTestDatabase = (): Promise<TestDatabase> =>
  create(`template ${fromSetup('TEST_DATABASE_TEMPLATE')} strategy file_copy`);

/** Creates an empty database for tests of the migrations. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create('template template0');

/** Copies a database, as a backup that is restored. No connection to it may be open. */
export const copyDatabase = ({ name }: TestDatabase): Promise<TestDatabase> =>
  create(`template ${name} strategy file_copy`);
