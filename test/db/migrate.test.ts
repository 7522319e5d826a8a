import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { openDatabase } from '../../src/platform/database/database.ts';
import { DatabaseBeforeReleaseError, DatabaseTooNewError, migrate } from '../../src/platform/database/migrate.ts';
import {
  MIGRATION_FILE,
  MIGRATIONS_FOLDER,
  MIGRATIONS_TABLE,
  ormConfig,
} from '../../src/platform/database/orm-config.ts';
import { prepareDatabase } from '../../src/platform/database/prepare-database.ts';
import { servingAccess } from '../../src/platform/database/serving-access.ts';
import { ask, createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../testing/database.ts';

const names = readdirSync(MIGRATIONS_FOLDER)
  .filter((file) => MIGRATION_FILE.test(file))
  .map((file) => file.replace('.ts', ''))
  .sort();

describe('migrations', () => {
  let database: TestDatabase;
  let orm: MikroORM | undefined;

  beforeEach(async () => {
    database = await createEmptyDatabase();
  });

  afterEach(async () => {
    await orm?.close(true);
    orm = undefined;
    await database.drop();
  });

  const asOwner = (text: string, params?: unknown[]): Promise<object[]> => ask(database.url, text, params);

  it('run once, in order, when several instances start together on an empty database', async () => {
    const applied = await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)]);
    expect(applied.filter((list) => list.length > 0)).toEqual([names]);
    expect(await migrate(database.url)).toEqual([]);
  });

  it('create a database that can serve', async () => {
    await migrate(database.url);
    const db = await openDatabase({ url: database.url, role: 'quita_app' });
    await expect(db.ping()).resolves.toBeUndefined();
    await db.close();
  });

  it('create the schema of the entities in an empty database', async () => {
    await migrate(database.url);
    orm = await MikroORM.init(ormConfig({ clientUrl: database.url }));
    expect((await orm.schema.getUpdateSchemaSQL({ wrap: false })).trim()).toBe('');
  });

  it('match the committed snapshot, so that no migration is missing', async () => {
    orm = await MikroORM.init(ormConfig({ clientUrl: database.url }));
    expect(await orm.migrator.checkSchema()).toBe(false);
  });

  it('refuse a database of a newer version and do not change it', async () => {
    await migrate(database.url);
    await asOwner(`insert into ${MIGRATIONS_TABLE} (name, executed_at) values ($1, now())`, [
      'Migration29991231000000_from_the_future',
    ]);
    const before = await asOwner(`select * from ${MIGRATIONS_TABLE}`);
    const refused = migrate(database.url);
    await expect(refused).rejects.toThrow(DatabaseTooNewError);
    await expect(refused).rejects.toThrow(/newer version of Quita .*Migration29991231000000_from_the_future/);
    expect(await asOwner(`select * from ${MIGRATIONS_TABLE}`)).toEqual(before);
  });

  it('refuse a database from before the first release, say what to do, and do not change it', async () => {
    await migrate(database.url);
    await asOwner(`update ${MIGRATIONS_TABLE} set name = 'Migration20261120233106_foundation'`);
    const before = await asOwner(`select * from ${MIGRATIONS_TABLE}`);
    const refused = migrate(database.url);
    await expect(refused).rejects.toThrow(DatabaseBeforeReleaseError);
    await expect(refused).rejects.toThrow(
      /^[^\n]*before the first release[^\n]* stay on the commit[^\n]* an empty one$/,
    );
    const serving = await servingAccess(database.url, 'quita_app');
    await expect(prepareDatabase(serving.url)).rejects.toThrow(DatabaseBeforeReleaseError);
    expect(await asOwner(`select * from ${MIGRATIONS_TABLE}`)).toEqual(before);
  });

  it('are rolled back completely when one fails', async () => {
    await asOwner('create table outbox (id int)');
    await expect(migrate(database.url)).rejects.toThrow('already exists');
    expect(await asOwner(`select to_regclass('clients') as clients`)).toEqual([{ clients: null }]);
    await asOwner('drop table outbox');
    expect(await migrate(database.url)).toEqual(names);
  });
});

describe('a second database on one server', () => {
  it('shares only the roles', async () => {
    const first = await createTestDatabase();
    const second = await createEmptyDatabase();
    expect(await migrate(second.url)).toEqual(names);
    await first.drop();
    await second.drop();
  });
});
