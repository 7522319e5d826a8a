import { Migration } from '@mikro-orm/migrations';

/** A message that failed because its sender was throttled or blocked says nothing about the recipient. */
export class Migration20261122121016_failures_of_senders extends Migration {
  override name = 'Migration20261122121016_failures_of_senders';

  override up(): void {
    this.addSql(`alter table "messages" add "sender_failed" boolean not null default false;`);
  }
}
