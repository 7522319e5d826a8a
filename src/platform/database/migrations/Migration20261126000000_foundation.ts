import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';
import { countDebts } from './foundation/count-debts.ts';

const read = (part: string): string => readFileSync(new URL(`./foundation/${part}.sql`, import.meta.url), 'utf8');

/** What all tables use, and then the modules in their order: a table references only tables of the parts before it. */
const MODULES = ['accounts', 'policy', 'debts', 'messaging', 'payments', 'receipts', 'events', 'work'];

/**
 * Creates the whole schema of the first release. Earlier lists of migrations were never released, so this one takes their
 * place, and `migrate` refuses a database that they have made. Each part in `foundation` holds the tables of one module
 * with their row security and rights: each role has the verbs and the columns that it uses, and there are no default
 * privileges for new tables.
 *
 * The roles come from `provisionRoles`, the logins from `provisionLogins`, and the functions that run with the rights of
 * `quita_functions` from `src/platform/database/routines`. The parts belong to this migration: a later change is a
 * migration of its own.
 */
export class Migration20261126000000_foundation extends Migration {
  override name = 'Migration20261126000000_foundation';

  override up(): void {
    this.addSql(read('scopes'));
    this.addSql(countDebts('create', ['IMPORTED', 'QUEUED', 'IN_COLLECTION', 'PROMISED', 'ON_HOLD', 'DISPUTED']));
    this.addSql(read('triggers'));
    for (const part of MODULES) this.addSql(read(part));
  }
}
