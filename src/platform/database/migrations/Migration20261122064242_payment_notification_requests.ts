import { Migration } from '@mikro-orm/migrations';

/**
 * A constraint now keeps a signed request of a charge single, also when two instances of the service receive it. Asking
 * the inbox first, as before, read the whole table until PostgreSQL had analyzed it, and halved the rate of
 * notifications. The constraint's index also finds the notifications of a charge, so that the number of indexes stays.
 */
export class Migration20261122064242_payment_notification_requests extends Migration {
  override name = 'Migration20261122064242_payment_notification_requests';

  override up(): void {
    // An instance may already have written a request twice. The later row stays in the inbox without its request.
    this.addSql('alter table "payment_notifications" no force row level security;');
    this.addSql(
      `update "payment_notifications" as later set "signed_request" = null where "signed_request" is not null and exists (select from "payment_notifications" as earlier where earlier."charge_id" = later."charge_id" and earlier."signed_request" = later."signed_request" and earlier."seq" < later."seq");`,
    );
    this.addSql('alter table "payment_notifications" force row level security;');
    this.addSql('drop index "payment_notifications_charge";');
    this.addSql(
      'alter table "payment_notifications" add constraint "payment_notifications_request" unique ("charge_id", "signed_request");',
    );
  }
}
