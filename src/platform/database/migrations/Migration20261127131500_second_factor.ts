import { Migration } from '@mikro-orm/migrations';

/**
 * A member may have an app that makes codes (TOTP) and recovery codes. A login of such a member waits in a challenge for
 * its code, and a session says until when it may do what asks for a code again. The routine that looks a session up
 * answers what the session has to prove; its columns change, so it is dropped and made again after the migrations.
 */
export class Migration20261127131500_second_factor extends Migration {
  override name = 'Migration20261127131500_second_factor';

  override up(): void {
    this.addSql(
      `create table "login_challenges" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "member_id" uuid not null, "token_hash" text not null, "kind" text not null, "remember" boolean not null default false, "known_source" text null, "tries" int not null default 0, "created_at" timestamptz(3) not null default quita_now(), "expires_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`create index "login_challenges_client" on "login_challenges" ("client_id");`);
    this.addSql(`create index "login_challenges_member" on "login_challenges" ("member_id");`);
    this.addSql(`create index "login_challenges_expires_at" on "login_challenges" ("expires_at");`);
    this.addSql(`alter table "login_challenges" add constraint "login_challenges_token_hash" unique ("token_hash");`);

    this.addSql(
      `create table "recovery_codes" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "member_id" uuid not null, "code_hash" text not null, "used_at" timestamptz(3) null, "created_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(`create index "recovery_codes_client" on "recovery_codes" ("client_id");`);
    this.addSql(`alter table "recovery_codes" add constraint "recovery_codes_code" unique ("member_id", "code_hash");`);

    this.addSql(
      `create table "second_factors" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "member_id" uuid not null, "sealed" text null, "pending_sealed" text null, "last_step" int not null default 0, "confirmed_at" timestamptz(3) null, "created_at" timestamptz(3) not null default quita_now(), "updated_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(`create index "second_factors_client" on "second_factors" ("client_id");`);
    this.addSql(`alter table "second_factors" add constraint "second_factors_member" unique ("member_id");`);

    this.addSql(`alter table "clients" add "require_second_factor" boolean not null default false;`);

    this.addSql(
      `alter table "sessions" add "factor_proved" boolean not null default false, add "stepped_up_until" timestamptz(3) null;`,
    );

    this.addSql(
      `alter table "login_challenges" add constraint "login_challenges_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "login_challenges" add constraint "login_challenges_member_id_foreign" foreign key ("member_id") references "members" ("id");`,
    );
    this.addSql(
      `alter table "login_challenges" add constraint "login_challenges_kind_known" check (kind in ('program', 'console'));`,
    );
    this.addSql(`alter table "login_challenges" enable row level security;`);
    this.addSql(`alter table "login_challenges" force row level security;`);
    this.addSql(
      `create policy "tenant" on "login_challenges" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "login_challenges" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `create policy "authentication" on "login_challenges" for select to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');`,
    );
    this.addSql(
      `create policy "purge" on "login_challenges" for delete to "quita_worker" using (expires_at < current_timestamp);`,
    );

    this.addSql(
      `alter table "recovery_codes" add constraint "recovery_codes_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "recovery_codes" add constraint "recovery_codes_member_id_foreign" foreign key ("member_id") references "members" ("id");`,
    );
    this.addSql(`alter table "recovery_codes" enable row level security;`);
    this.addSql(`alter table "recovery_codes" force row level security;`);
    this.addSql(
      `create policy "tenant" on "recovery_codes" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "recovery_codes" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `create policy "authentication" on "recovery_codes" for select to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');`,
    );
    this.addSql(
      `create policy "owner_insert" on "recovery_codes" as restrictive for insert to "quita_app" with check (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "owner_update" on "recovery_codes" as restrictive for update to "quita_app" using (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on'))) with check (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "owner_delete" on "recovery_codes" as restrictive for delete to "quita_app" using (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );

    this.addSql(
      `alter table "second_factors" add constraint "second_factors_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "second_factors" add constraint "second_factors_member_id_foreign" foreign key ("member_id") references "members" ("id");`,
    );
    this.addSql(
      `alter table "second_factors" add constraint "second_factors_confirmed_whole" check ((sealed is null) = (confirmed_at is null));`,
    );
    this.addSql(
      `alter table "second_factors" add constraint "second_factors_not_empty" check (num_nonnulls(sealed, pending_sealed) > 0);`,
    );
    this.addSql(`alter table "second_factors" enable row level security;`);
    this.addSql(`alter table "second_factors" force row level security;`);
    this.addSql(
      `create policy "tenant" on "second_factors" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "second_factors" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `create policy "authentication" on "second_factors" for select to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');`,
    );
    this.addSql(`create policy "functions_select" on "second_factors" for select to "quita_functions" using (true);`);
    this.addSql(
      `create policy "owner_insert" on "second_factors" as restrictive for insert to "quita_app" with check (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "owner_update" on "second_factors" as restrictive for update to "quita_app" using (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on'))) with check (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "owner_delete" on "second_factors" as restrictive for delete to "quita_app" using (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );

    this.addSql('drop function if exists members_of_sessions(uuid[]);');
    this.addSql(
      `grant select, insert, update, delete on "login_challenges", "recovery_codes", "second_factors" to quita_app;`,
    );
    // A worker deletes what has ended, and all of a client that is deleted; it reads no secret and no hash.
    this.addSql(`grant delete, select (id, client_id, expires_at) on "login_challenges" to quita_worker;`);
    this.addSql(`grant delete, select (client_id) on "recovery_codes" to quita_worker;`);
    this.addSql(`grant delete, select (client_id) on "second_factors" to quita_worker;`);
    this.addSql(`grant select (id, member_id, confirmed_at) on "second_factors" to quita_functions;`);
    this.addSql(`grant select (factor_proved, stepped_up_until) on "sessions" to quita_functions;`);
    this.addSql(`grant select (require_second_factor) on "clients" to quita_app, quita_worker, quita_functions;`);
    this.addSql(`grant update (require_second_factor) on "clients" to quita_app;`);
  }
}
