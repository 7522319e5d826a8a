import { Migration } from '@mikro-orm/migrations';

/** An e-mail address changes once the present and the new one have both confirmed it. */
export class Migration20261127140845_email_changes extends Migration {
  override name = 'Migration20261127140845_email_changes';

  override up(): void {
    this.addSql(
      `create table "email_changes" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "member_id" uuid not null, "of_company" boolean not null, "present_email" text not null, "new_email" text not null, "present_token_hash" text null, "new_token_hash" text null, "present_confirmed_at" timestamptz(3) null, "new_confirmed_at" timestamptz(3) null, "created_at" timestamptz(3) not null default quita_now(), "expires_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`create index "email_changes_client" on "email_changes" ("client_id");`);
    this.addSql(`create index "email_changes_member" on "email_changes" ("member_id");`);
    this.addSql(`create index "email_changes_expires_at" on "email_changes" ("expires_at");`);
    this.addSql(
      `alter table "email_changes" add constraint "email_changes_present_token" unique ("present_token_hash");`,
    );
    this.addSql(`alter table "email_changes" add constraint "email_changes_new_token" unique ("new_token_hash");`);

    this.addSql(
      `alter table "email_changes" add constraint "email_changes_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "email_changes" add constraint "email_changes_member_id_foreign" foreign key ("member_id") references "members" ("id");`,
    );
    this.addSql(
      `alter table "email_changes" add constraint "email_changes_lower_case" check (present_email = lower(present_email) and new_email = lower(new_email));`,
    );
    this.addSql(
      `alter table "email_changes" add constraint "email_changes_another" check (present_email <> new_email);`,
    );
    this.addSql(`alter table "email_changes" enable row level security;`);
    this.addSql(`alter table "email_changes" force row level security;`);
    this.addSql(
      `create policy "tenant" on "email_changes" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "email_changes" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `create policy "authentication" on "email_changes" for select to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');`,
    );
    this.addSql(
      `create policy "owner_insert" on "email_changes" as restrictive for insert to "quita_app" with check (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "owner_update" on "email_changes" as restrictive for update to "quita_app" using (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on'))) with check (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "owner_delete" on "email_changes" as restrictive for delete to "quita_app" using (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "purge" on "email_changes" for delete to "quita_worker" using (expires_at < current_timestamp);`,
    );
    this.addSql(`grant select, insert, update, delete on "email_changes" to quita_app;`);
    // A worker writes the tokens of the mails that it sends, and deletes what has ended.
    this.addSql(
      `grant delete, select (id, client_id, of_company, present_email, new_email, expires_at), update (present_token_hash, new_token_hash) on "email_changes" to quita_worker;`,
    );
  }
}
