import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type Options } from '@mikro-orm/postgresql';
import { ENTITIES } from './entities/index.ts';

export const MIGRATIONS_TABLE = 'mikro_orm_migrations';
export const PRIVATE_SCHEMA = 'quita_private';
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
export const MIGRATION_FILE = /^Migration\d{14}_[a-z0-9_]+\.ts$/;

/** What every MikroORM of this project shares, whoever connects. */
export function ormConfig(options: Options): Options {
  return defineConfig({
    entities: ENTITIES,
    extensions: [Migrator],
    // Statements carry their values as text here: they must never reach a log.
    debug: false,
    // Otherwise the first connection looks for the database and makes it when it is missing, under a mistyped name too.
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    // Functions are written by hand, in the migration of what they read: they are the hottest statements and nothing
    // else.
    // So is the schema that the owner alone reads: keys and passwords are no entities.
    schemaGenerator: { ignoreRoutines: true, ignoreSchema: [PRIVATE_SCHEMA] },
    migrations: {
      tableName: MIGRATIONS_TABLE,
      path: MIGRATIONS_FOLDER,
      pathTs: MIGRATIONS_FOLDER,
      glob: 'Migration*.ts',
      // By default named after the database, so that each test database would make another.
      snapshotName: '.snapshot-quita',
      snapshotOnMigrate: false,
      silent: true,
    },
    ...options,
  });
}
