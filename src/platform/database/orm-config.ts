import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type Options } from '@mikro-orm/postgresql';
import { ENTITIES } from '../../modules/tables.ts';

export const MIGRATIONS_TABLE = 'mikro_orm_migrations';
export const PRIVATE_SCHEMA = 'quita_private';
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
export const MIGRATION_FILE = /^Migration\d{14}_[a-z0-9_]+\.ts$/;

/** The options that all MikroORM instances of this project share. */
export function ormConfig(options: Options): Options {
  return defineConfig({
    entities: ENTITIES,
    extensions: [Migrator],
    // Statements contain their values as text, so they must never be logged.
    debug: false,
    // Otherwise the first connection would create a missing database, even under a mistyped name.
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    // Functions are written by hand in `src/platform/database/routines` and in migrations. The private schema with keys and passwords,
    // which only the owner reads, has no entities.
    schemaGenerator: { ignoreRoutines: true, ignoreSchema: [PRIVATE_SCHEMA] },
    migrations: {
      tableName: MIGRATIONS_TABLE,
      path: MIGRATIONS_FOLDER,
      pathTs: MIGRATIONS_FOLDER,
      glob: 'Migration*.ts',
      // The default name contains the database's name, so each test database would write another snapshot.
      snapshotName: '.snapshot-quita',
      snapshotOnMigrate: false,
      silent: true,
    },
    ...options,
  });
}
