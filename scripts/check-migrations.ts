/**
 * Fails when the entities have a change without a migration. It compares them with the snapshot and needs no database.
 */
import { MikroORM } from '@mikro-orm/postgresql';
import { ormConfig } from '../src/platform/database/orm-config.ts';

const orm = await MikroORM.init(ormConfig({ dbName: 'quita' }));
if (await orm.migrator.checkSchema()) {
  process.stderr.write('The entities are ahead of the migrations: node scripts/make-migration.ts <name>\n');
  process.exitCode = 1;
}
await orm.close();
