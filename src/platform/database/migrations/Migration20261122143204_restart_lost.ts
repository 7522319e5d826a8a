import { Migration } from '@mikro-orm/migrations';

/**
 * First contacts that wait for one opening keep a pace over all campaigns; and debts whose workflow should have worked
 * are found, so that a lost workflow is started again.
 */
export class Migration20261122143204_restart_lost extends Migration {
  override name = 'Migration20261122143204_restart_lost';

  override up(): void {
    this.addSql(
      `create table "contact_pace" ("scope" text not null, "opening" timestamptz(3) not null, "free_from" timestamptz(3) not null, primary key ("scope", "opening"));`,
    );
    this.addSql(
      `create index "debts_next_contact" on "debts" ("next_contact_at") where status in ('QUEUED', 'IN_COLLECTION', 'PROMISED') and paused_at is null and not sandbox;`,
    );
    this.addSql(
      `create index "debts_without_moment" on "debts" ("id") where status in ('QUEUED', 'IN_COLLECTION', 'PROMISED') and paused_at is null and (sandbox or next_contact_at is null);`,
    );
    this.addSql('grant select, insert, update, delete on contact_pace to quita_worker;');
  }
}
