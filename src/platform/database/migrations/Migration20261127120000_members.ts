import { Migration } from '@mikro-orm/migrations';

const OF_A_MEMBER = ['sessions', 'password_resets', 'identities'];

/**
 * People become members of a company, with a role each. The owner of every account becomes its first member, with the
 * password that the company had, and what belonged to the company alone (sessions, links to a new password, identities)
 * belongs to that member. Who has access is written by an owner's transaction alone.
 */
export class Migration20261127120000_members extends Migration {
  override name = 'Migration20261127120000_members';

  override up(): void {
    this.addSql(
      `create table "invitations" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "email" text not null, "name" text not null, "role" text not null, "token_hash" text null, "created_at" timestamptz(3) not null default quita_now(), "expires_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`create index "invitations_expires_at" on "invitations" ("expires_at");`);
    this.addSql(`alter table "invitations" add constraint "invitations_email" unique ("client_id", "email");`);
    this.addSql(`alter table "invitations" add constraint "invitations_token_hash" unique ("token_hash");`);

    this.addSql(
      `create table "members" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "email" text not null, "name" text not null, "role" text not null, "password_hash" text null, "left_at" timestamptz(3) null, "created_at" timestamptz(3) not null default quita_now(), "updated_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(`create index "members_client" on "members" ("client_id", "created_at", "id");`);
    this.addSql(`create unique index "members_email_key" on "members" ("email") where left_at is null;`);

    // Row security is forced on the owner of the tables too, who sees all rows here.
    for (const table of ['clients', ...OF_A_MEMBER]) this.addSql(`alter table "${table}" no force row level security;`);
    this.addSql(
      `insert into "members" ("client_id", "email", "name", "role", "password_hash", "created_at") select id, email, name, 'owner', password_hash, created_at from "clients";`,
    );
    for (const table of OF_A_MEMBER) {
      this.addSql(`alter table "${table}" add "member_id" uuid null;`);
      this.addSql(
        `update "${table}" set member_id = members.id from "members" where members.client_id = "${table}".client_id;`,
      );
      this.addSql(`alter table "${table}" alter column "member_id" set not null;`);
    }
    for (const table of ['clients', ...OF_A_MEMBER]) this.addSql(`alter table "${table}" force row level security;`);
    this.addSql(`alter table "clients" drop constraint "clients_email_key";`);
    this.addSql(`alter table "clients" drop column "password_hash";`);
    this.addSql('drop function if exists session_clients(uuid[]);');

    this.addSql(
      `create policy "owner_insert" on "api_keys" as restrictive for insert to "quita_app" with check (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "owner_update" on "api_keys" as restrictive for update to "quita_app" using (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on'))) with check (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "owner_delete" on "api_keys" as restrictive for delete to "quita_app" using (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );

    this.addSql(
      `create policy "owner_insert" on "client_credentials" as restrictive for insert to "quita_app" with check (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "owner_update" on "client_credentials" as restrictive for update to "quita_app" using (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on'))) with check (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "owner_delete" on "client_credentials" as restrictive for delete to "quita_app" using (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );

    this.addSql(
      `alter table "identities" add constraint "identities_member_id_foreign" foreign key ("member_id") references "members" ("id");`,
    );
    this.addSql(`create index "identities_member" on "identities" ("member_id");`);

    this.addSql(
      `alter table "password_resets" add constraint "password_resets_member_id_foreign" foreign key ("member_id") references "members" ("id");`,
    );
    this.addSql(`create index "password_resets_member" on "password_resets" ("member_id");`);

    this.addSql(
      `alter table "sessions" add constraint "sessions_member_id_foreign" foreign key ("member_id") references "members" ("id");`,
    );
    this.addSql(`create index "sessions_member" on "sessions" ("member_id");`);

    this.addSql(
      `alter table "invitations" add constraint "invitations_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "invitations" add constraint "invitations_role_known" check (role in ('owner', 'manager', 'agent', 'viewer', 'auditor'));`,
    );
    this.addSql(
      `alter table "invitations" add constraint "invitations_email_lower_case" check (email = lower(email));`,
    );
    this.addSql(`alter table "invitations" enable row level security;`);
    this.addSql(`alter table "invitations" force row level security;`);
    this.addSql(
      `create policy "tenant" on "invitations" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "invitations" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `create policy "authentication" on "invitations" for select to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');`,
    );
    this.addSql(
      `create policy "owner_insert" on "invitations" as restrictive for insert to "quita_app" with check (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "owner_update" on "invitations" as restrictive for update to "quita_app" using (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on'))) with check (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "owner_delete" on "invitations" as restrictive for delete to "quita_app" using (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "purge" on "invitations" for delete to "quita_worker" using (expires_at < (current_timestamp - '30 days'::interval));`,
    );

    this.addSql(
      `alter table "members" add constraint "members_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "members" add constraint "members_role_known" check (role in ('owner', 'manager', 'agent', 'viewer', 'auditor'));`,
    );
    this.addSql(`alter table "members" add constraint "members_email_lower_case" check (email = lower(email));`);
    this.addSql(
      `alter table "members" add constraint "members_left_without_password" check (left_at is null or password_hash is null);`,
    );
    this.addSql(`alter table "members" enable row level security;`);
    this.addSql(`alter table "members" force row level security;`);
    this.addSql(
      `create policy "tenant" on "members" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "members" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `create policy "authentication" on "members" for select to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');`,
    );
    this.addSql(`create policy "functions_select" on "members" for select to "quita_functions" using (true);`);
    this.addSql(
      `create policy "owner_insert" on "members" as restrictive for insert to "quita_app" with check (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "owner_update" on "members" as restrictive for update to "quita_app" using (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on'))) with check (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );
    this.addSql(
      `create policy "owner_delete" on "members" as restrictive for delete to "quita_app" using (((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on')));`,
    );

    this.addSql(`grant select, insert, update on "members" to quita_app;`);
    this.addSql(
      `grant delete, select (id, client_id, email, name, role, left_at, created_at) on "members" to quita_worker;`,
    );
    this.addSql(`grant select (id, client_id, name, role, left_at) on "members" to quita_functions;`);
    this.addSql(`grant select, insert, update, delete on "invitations" to quita_app;`);
    this.addSql(`grant select, delete, update (token_hash) on "invitations" to quita_worker;`);
    this.addSql(`grant select (member_id) on "sessions" to quita_functions;`);
  }
}
