/**
 * `node scripts/make-migration.ts add_debts` writes the difference between the entities and the committed snapshot as a
 * new migration, and the new snapshot. It needs no database. Read the result, keep it raw SQL, and give its reason in
 * the docblock.
 */
import { MikroORM } from '@mikro-orm/postgresql';
import { ormConfig } from '../src/platform/database/orm-config.ts';

const name = process.argv[2] ?? '';
if (!/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name)) {
  process.stderr.write('Give the migration a name in snake_case: node scripts/make-migration.ts add_debts\n');
  process.exit(2);
}
const orm = await MikroORM.init(ormConfig({ dbName: 'quita' }));
try {
  const { fileName } = await orm.migrator.create(undefined, false, false, name);
  process.stdout.write(
    fileName === '' ? 'The entities and the snapshot agree, so there is no migration to write\n' : `${fileName}\n`,
  );
} finally {
  await orm.close();
}
