import { Migration } from '@mikro-orm/migrations';

/**
 * What a debt is for, in words of the client that the debtor may read. Debtors asked what they were charged for, and
 * their page and the agent knew nothing but the number of the invoice.
 */
export class Migration20261125030456_debt_description extends Migration {
  override name = 'Migration20261125030456_debt_description';

  override up(): void {
    this.addSql(`alter table "debts" add "description" text null;`);
  }
}
