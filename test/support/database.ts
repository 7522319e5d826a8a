import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

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

const askHouse = (text: string, params?: unknown[]): Promise<object[]> =>
  ask(fromSetup('TEST_DATABASE_URL'), text, params);

/**
 * `drop … with (force)` is refused while autovacuum looks at the database, because only a superuser may end that; a
 * plain drop sends it away itself. So only the sessions are ended here: those have a user.
 */
async function dropDatabase(name: string): Promise<void> {
  await askHouse('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename is not null', [
    name,
  ]);
  await askHouse(`drop database if exists ${name}`);
}

async function create(options: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await askHouse(`create database ${name} ${options}`);
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
