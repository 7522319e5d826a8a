import { Migration } from '@mikro-orm/migrations';

/**
 * Debts may come into a campaign that runs. Its workflow asks for those that have no plan yet, however many others are
 * queued, so they have an index of their own. A client may correct the phone of a debt, which replaces the list of its
 * phones.
 */
export class Migration20261122203317_imports_into_running_campaigns extends Migration {
  override name = 'Migration20261122203317_imports_into_running_campaigns';

  override up(): void {
    this.addSql(
      `create index "debts_unplanned" on "debts" ("campaign_id", "position") where status = 'QUEUED' and next_contact_at is null and paused_at is null;`,
    );
    this.addSql('grant delete on debt_phones to quita_app;');
  }
}
