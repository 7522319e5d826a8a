import { Migration } from '@mikro-orm/migrations';

/**
 * The functions that serve requests of all clients moved from the migrations to `src/platform/database/routines`, which `migrate`
 * applies after the migrations. `debt_payments` there replaces `payment_of`, because it answers all requests that ask
 * at the same time with one statement.
 */
export class Migration20261122060000_routine_files extends Migration {
  override name = 'Migration20261122060000_routine_files';

  override up(): void {
    this.addSql('drop function payment_of(text, uuid);');
  }
}
