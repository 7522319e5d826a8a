import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { ormConfig } from '../../src/platform/database/orm-config.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';

export interface EarlierDatabase {
  readonly database: TestDatabase;
  readonly owner: Client;
  /** Row security also binds the owner, who writes and reads without it. */
  readonly force: (how: 'force' | 'no force') => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Creates a database with the schema up to a migration, and lifts row security from `tables` for its owner. */
export async function openEarlierDatabase(migration: string, tables: readonly string[]): Promise<EarlierDatabase> {
  const database = await createEmptyDatabase();
  const orm = await MikroORM.init(
    ormConfig({ clientUrl: database.url, driverOptions: { connectionString: database.url } }),
  );
  await orm.migrator.up({ to: migration });
  await orm.close(true);
  const owner = new Client({ connectionString: database.url });
  await owner.connect();
  const force: EarlierDatabase['force'] = async (how) => {
    for (const table of tables) await owner.query(`alter table ${table} ${how} row level security`);
  };
  await force('no force');
  return {
    database,
    owner,
    force,
    close: async () => {
      await owner.end();
      await database.drop();
    },
  };
}
