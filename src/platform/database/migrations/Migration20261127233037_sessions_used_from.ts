import { Migration } from '@mikro-orm/migrations';

/** Members see from where their sessions are used, so that they recognise one that is not theirs. */
export class Migration20261127233037_sessions_used_from extends Migration {
  override name = 'Migration20261127233037_sessions_used_from';

  override up(): void {
    this.addSql(`alter table "sessions" add "ip" text null, add "user_agent" text null;`);
  }
}
