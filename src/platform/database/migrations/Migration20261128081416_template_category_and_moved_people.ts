import { Migration } from '@mikro-orm/migrations';

/**
 * A template that the channel takes for advertising is not sent any more, and a person who has changed the number is
 * found by the id that the channel names after the change. Rows of before know of neither.
 */
export class Migration20261128081416_template_category_and_moved_people extends Migration {
  override name = 'Migration20261128081416_template_category_and_moved_people';

  override up(): void {
    this.addSql(
      `alter table "channel_templates" add "marketing_from" timestamptz(3) null, add "category_told_at" timestamptz(3) null, add "marketing_mailed_at" timestamptz(3) null;`,
    );
    this.addSql(
      `grant update (marketing_from, category_told_at, marketing_mailed_at) on "channel_templates" to quita_app;`,
    );
    this.addSql(`alter table "recipients" add "moved_at" timestamptz(3) null, add "moved_to_key" text null;`);
    this.addSql(
      `create index "recipients_moved" on "recipients" ("moved_to_key", "client_id") where moved_to_key is not null;`,
    );
  }
}
