import { Migration } from '@mikro-orm/migrations';

/** Settings that leave no opening make debts wait, and the client is told by an item of the inbox. */
export class Migration20261125014549_settings_without_opening extends Migration {
  override name = 'Migration20261125014549_settings_without_opening';

  override up(): void {
    this.addSql(`alter table "inbox_items" drop constraint "inbox_items_reason_known";`);
    this.addSql(
      `alter table "inbox_items" add constraint "inbox_items_reason_known" check (reason in ('disputed', 'hardship', 'negotiate', 'human', 'underpaid', 'duplicate', 'refunded', 'undelivered', 'attachment', 'settings'));`,
    );
  }
}
