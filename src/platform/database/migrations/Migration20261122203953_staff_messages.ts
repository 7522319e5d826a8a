import { Migration } from '@mikro-orm/migrations';

/**
 * Staff may write to a debtor: their message waits in `messages` until the debt's workflow sends it, and the agent is
 * silent in that conversation until a moment that the debt keeps.
 */
export class Migration20261122203953_staff_messages extends Migration {
  override name = 'Migration20261122203953_staff_messages';

  override up(): void {
    this.addSql(`alter table "debts" add "staff_answers_until" timestamptz(3) null;`);

    this.addSql(`alter table "messages" drop constraint "messages_delivery_known";`);
    this.addSql(`alter table "messages" add "staff" boolean not null default false;`);
    this.addSql(
      `alter table "messages" add constraint "messages_delivery_known" check (delivery in ('waiting', 'booked', 'sent', 'delivered', 'read', 'failed', 'unknown'));`,
    );
  }
}
