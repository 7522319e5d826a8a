import { Migration } from '@mikro-orm/migrations';

/**
 * The search for lost workflows finds what they would have done by these indexes, which have rows only while something
 * waits. A listing says when its staff are told next: whatever pays the debt sets it, in the API too, and each reminder
 * moves it on. Listings of before get it with their next reminder.
 */
export class Migration20261129151900_find_what_waits extends Migration {
  override name = 'Migration20261129151900_find_what_waits';

  override up(): void {
    this.addSql(`alter table "bureau_listings" add "remind_at" timestamptz(3) null;`);
    this.addSql(
      `create index "bureau_listings_to_remind" on "bureau_listings" ("debt_id") where removed_on is null and remind_at is not null;`,
    );
    this.addSql(`grant update (remind_at) on "bureau_listings" to quita_app, quita_worker;`);

    this.addSql(
      `create index "messages_of_staff_open" on "messages" ("debt_id") where staff and delivery in ('waiting', 'booked');`,
    );
    this.addSql(
      `create index "receipt_deliveries_open" on "receipt_deliveries" ("debt_id") where state in ('waiting', 'booked');`,
    );
  }
}
