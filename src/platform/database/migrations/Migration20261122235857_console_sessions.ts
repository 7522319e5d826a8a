import { Migration } from '@mikro-orm/migrations';

/**
 * Sessions of the console have a cookie that does not change, of which the hash is stored, and limits of their own. The
 * list of a client's sessions shows when each was last used.
 */
export class Migration20261122235857_console_sessions extends Migration {
  override name = 'Migration20261122235857_console_sessions';

  override up(): void {
    this.addSql(
      `alter table "sessions" add "last_used_at" timestamptz(3) not null default quita_now(), add "cookie_hash" text null, add "idle_seconds" int null, add "longest_until" timestamptz(3) null;`,
    );

    // Each use of a refresh token has set the end to 30 days later. A sign-up's session has no other use. Row security
    // that is forced on the owner as well would hide the rows from this statement.
    this.addSql(`alter table "sessions" no force row level security;`);
    this.addSql(`update "sessions" set "last_used_at" = greatest("created_at", "expires_at" - interval '30 days');`);
    this.addSql(`alter table "sessions" force row level security;`);

    this.addSql(`alter table "sessions" add constraint "sessions_cookie_hash" unique ("cookie_hash");`);
    this.addSql(
      `alter table "sessions" add constraint "sessions_console_whole" check (num_nulls(cookie_hash, idle_seconds, longest_until) in (0, 3));`,
    );
  }
}
