import { Migration } from '@mikro-orm/migrations';

/**
 * The metrics tell how many notifications of payments wait to be handled, over all clients. The index has only these, so
 * that neither a scrape nor a notification costs much.
 */
export class Migration20261123042249_notifications_not_handled extends Migration {
  override name = 'Migration20261123042249_notifications_not_handled';

  override up(): void {
    this.addSql(
      `create index "payment_notifications_unhandled" on "payment_notifications" ("created_at") where handled_at is null;`,
    );
  }
}
