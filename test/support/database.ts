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

async function asOwner(...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: fromSetup('TEST_DATABASE_URL') });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * `drop … with (force)` is refused while autovacuum looks at the database, because only a superuser may end that; a
 * plain drop sends it away itself. So only the sessions are ended here: those have a user.
 */
const dropDatabase = (name: string): Promise<void> =>
  asOwner(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename is not null`,
    `drop database if exists ${name}`,
  );

async function create(options: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asOwner(`create database ${name} ${options}`);
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
