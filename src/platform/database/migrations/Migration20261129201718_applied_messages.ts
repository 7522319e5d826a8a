import { Migration } from '@mikro-orm/migrations';

/** What a message says takes effect once, however often its answer is tried. */
export class Migration20261129201718_applied_messages extends Migration {
  override name = 'Migration20261129201718_applied_messages';

  override up(): void {
    this.addSql(`alter table "messages" add "applied_at" timestamptz(3) null;`);
  }
}
