import { Migration } from '@mikro-orm/migrations';

/**
 * Reminders before a due date: the days of a campaign, the last reminder of a debt, by which no day has two, and how many
 * were sent.
 */
export class Migration20261128080426_add_reminders extends Migration {
  override name = 'Migration20261128080426_add_reminders';

  override up(): void {
    this.addSql(`alter table "campaigns" add "reminders" jsonb null;`);
    this.addSql(`alter table "campaign_days" add "reminders_sent" int not null default 0;`);
    this.addSql(`alter table "debts" add "reminded_at" timestamptz(3) null;`);

    this.addSql(`alter table "messages" drop constraint "messages_purpose_known";`);
    this.addSql(
      `alter table "messages" add constraint "messages_purpose_known" check (purpose in ('collection', 'reminder', 'agreement', 'reply', 'receipt', 'opt_out_confirmation'));`,
    );
  }

  override down(): void {
    this.addSql(`alter table "campaigns" drop column "reminders";`);
    this.addSql(`alter table "campaign_days" drop column "reminders_sent";`);
    this.addSql(`alter table "debts" drop column "reminded_at";`);

    this.addSql(`alter table "messages" drop constraint "messages_purpose_known";`);
    this.addSql(
      `alter table "messages" add constraint "messages_purpose_known" check (purpose in ('collection', 'agreement', 'reply', 'receipt', 'opt_out_confirmation'));`,
    );
  }
}
