import { Migration } from '@mikro-orm/migrations';

/**
 * A member may have passkeys, of which the public half is stored: each logs in by itself and is a second factor. What a
 * passkey is asked to sign is kept until it comes or five minutes are over, by its hash.
 */
export class Migration20261127142030_passkeys extends Migration {
  override name = 'Migration20261127142030_passkeys';

  override up(): void {
    this.addSql(
      `create table "passkeys" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "member_id" uuid not null, "credential_id" text not null, "public_key" bytea not null, "counter" bigint not null, "transports" text[] not null, "device_type" text not null, "backed_up" boolean not null, "name" text not null, "created_at" timestamptz(3) not null default quita_now(), "last_used_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "passkeys_client" on "passkeys" ("client_id");`);
    this.addSql(`create index "passkeys_member" on "passkeys" ("member_id");`);
    this.addSql(`alter table "passkeys" add constraint "passkeys_credential" unique ("credential_id");`);

    this.addSql(
      `create table "passkey_challenges" ("id" uuid not null default gen_random_uuid(), "challenge_hash" text not null, "purpose" text not null, "bound_to" uuid null, "created_at" timestamptz(3) not null default quita_now(), "expires_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`create index "passkey_challenges_expires_at" on "passkey_challenges" ("expires_at");`);
    this.addSql(
      `alter table "passkey_challenges" add constraint "passkey_challenges_challenge_hash" unique ("challenge_hash");`,
    );

    this.addSql(
      `alter table "passkeys" add constraint "passkeys_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "passkeys" add constraint "passkeys_member_id_foreign" foreign key ("member_id") references "members" ("id");`,
    );
    this.addSql(`alter table "passkeys" enable row level security;`);
    this.addSql(`alter table "passkeys" force row level security;`);
    this.addSql(
      `create policy "tenant" on "passkeys" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "passkeys" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `create policy "authentication" on "passkeys" for select to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');`,
    );
    this.addSql(`create policy "functions_select" on "passkeys" for select to "quita_functions" using (true);`);
    this.addSql(
      `create policy "owner_insert" on "passkeys" as restrictive for insert to "quita_app" with check (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "owner_update" on "passkeys" as restrictive for update to "quita_app" using (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on'))) with check (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "owner_delete" on "passkeys" as restrictive for delete to "quita_app" using (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );

    this.addSql(
      `alter table "passkey_challenges" add constraint "passkey_challenges_purpose_known" check (purpose in ('register', 'login', 'second_factor', 'step_up'));`,
    );
    this.addSql(
      `alter table "passkey_challenges" add constraint "passkey_challenges_bound" check ((purpose = 'login') = (bound_to is null));`,
    );
    this.addSql(`alter table "passkey_challenges" enable row level security;`);
    this.addSql(`alter table "passkey_challenges" force row level security;`);
    this.addSql(
      `create policy "authentication" on "passkey_challenges" to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on') with check (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');`,
    );
    this.addSql(`create policy "worker" on "passkey_challenges" to "quita_worker" using (true) with check (true);`);

    this.addSql(`grant select, insert, update, delete on "passkeys" to quita_app;`);
    this.addSql(`grant select, insert, delete on "passkey_challenges" to quita_app;`);
    // A worker deletes what has ended, and all of a client that is deleted; it reads no key and no hash.
    this.addSql(`grant delete, select (client_id) on "passkeys" to quita_worker;`);
    this.addSql(`grant delete, select (id, expires_at) on "passkey_challenges" to quita_worker;`);
    this.addSql(`grant select (member_id) on "passkeys" to quita_functions;`);
  }
}
