import { Migration } from '@mikro-orm/migrations';

/**
 * Operators of the deployment, who belong to no client: their invitations, sessions and log. The API reaches the tables in
 * the transactions of operators alone. The functions of `operators.sql` and `verification.sql` get the columns that they
 * count and write, so that no operator's statement reads what belongs to a client.
 */
export class Migration20261127144520_operators extends Migration {
  override name = 'Migration20261127144520_operators';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "operators" ("id" uuid not null default gen_random_uuid(), "email" text not null, "password_hash" text not null, "sealed" text not null, "last_step" int not null, "created_at" timestamptz(3) not null default quita_now(), "last_login_at" timestamptz(3) null, "removed_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create unique index "operators_email" on "operators" ("email") where removed_at is null;`);

    this.addSql(
      `create table "operator_acts" ("seq" bigserial primary key, "at" timestamptz(3) not null default quita_now(), "operator_id" uuid null, "action" text not null, "client_id" uuid null, "ip" text null, "details" jsonb null);`,
    );
    this.addSql(`create index "operator_acts_client" on "operator_acts" ("client_id", "seq");`);
    this.addSql(`create index "operator_acts_at" on "operator_acts" ("at");`);

    this.addSql(
      `create table "operator_invitations" ("id" uuid not null default gen_random_uuid(), "email" text not null, "token_hash" text not null, "sealed" text null, "tries" int not null default 0, "created_at" timestamptz(3) not null default quita_now(), "expires_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`create index "operator_invitations_expires_at" on "operator_invitations" ("expires_at");`);
    this.addSql(`alter table "operator_invitations" add constraint "operator_invitations_email" unique ("email");`);
    this.addSql(
      `alter table "operator_invitations" add constraint "operator_invitations_token_hash" unique ("token_hash");`,
    );

    this.addSql(
      `create table "operator_sessions" ("id" uuid not null default gen_random_uuid(), "operator_id" uuid not null, "cookie_hash" text not null, "created_at" timestamptz(3) not null default quita_now(), "expires_at" timestamptz(3) not null, "longest_until" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`create index "operator_sessions_operator" on "operator_sessions" ("operator_id");`);
    this.addSql(`create index "operator_sessions_expires_at" on "operator_sessions" ("expires_at");`);
    this.addSql(
      `alter table "operator_sessions" add constraint "operator_sessions_cookie_hash" unique ("cookie_hash");`,
    );

    this.addSql(
      `create policy "operators" on "clients" for select to "quita_app" using (( SELECT quita_scope('app.operator'::text) AS quita_scope) = 'on');`,
    );

    this.addSql(
      `create policy "functions_select" on "webhook_deliveries" for select to "quita_functions" using (true);`,
    );

    this.addSql(`alter table "operators" add constraint "operators_email_lower_case" check (email = lower(email));`);
    this.addSql(`alter table "operators" enable row level security;`);
    this.addSql(`alter table "operators" force row level security;`);
    this.addSql(
      `create policy "operators" on "operators" to "quita_app" using (( SELECT quita_scope('app.operator'::text) AS quita_scope) = 'on') with check (( SELECT quita_scope('app.operator'::text) AS quita_scope) = 'on');`,
    );
    this.addSql(`create policy "worker" on "operators" to "quita_worker" using (true) with check (true);`);

    this.addSql(`alter table "operator_acts" enable row level security;`);
    this.addSql(`alter table "operator_acts" force row level security;`);
    this.addSql(
      `create policy "operators" on "operator_acts" to "quita_app" using (( SELECT quita_scope('app.operator'::text) AS quita_scope) = 'on') with check (( SELECT quita_scope('app.operator'::text) AS quita_scope) = 'on');`,
    );
    this.addSql(`create policy "command_add" on "operator_acts" for insert to "quita_worker" with check (true);`);
    this.addSql(
      `create policy "purge_select" on "operator_acts" for select to "quita_worker" using (at < (current_timestamp - '730 days'::interval));`,
    );
    this.addSql(
      `create policy "purge_delete" on "operator_acts" for delete to "quita_worker" using (at < (current_timestamp - '730 days'::interval));`,
    );

    this.addSql(
      `alter table "operator_invitations" add constraint "operator_invitations_email_lower_case" check (email = lower(email));`,
    );
    this.addSql(`alter table "operator_invitations" enable row level security;`);
    this.addSql(`alter table "operator_invitations" force row level security;`);
    this.addSql(
      `create policy "operators" on "operator_invitations" to "quita_app" using (( SELECT quita_scope('app.operator'::text) AS quita_scope) = 'on') with check (( SELECT quita_scope('app.operator'::text) AS quita_scope) = 'on');`,
    );
    this.addSql(`create policy "worker" on "operator_invitations" to "quita_worker" using (true) with check (true);`);

    this.addSql(
      `alter table "operator_sessions" add constraint "operator_sessions_operator_id_foreign" foreign key ("operator_id") references "operators" ("id");`,
    );
    this.addSql(`alter table "operator_sessions" enable row level security;`);
    this.addSql(`alter table "operator_sessions" force row level security;`);
    this.addSql(
      `create policy "operators" on "operator_sessions" to "quita_app" using (( SELECT quita_scope('app.operator'::text) AS quita_scope) = 'on') with check (( SELECT quita_scope('app.operator'::text) AS quita_scope) = 'on');`,
    );
    this.addSql(`create policy "worker" on "operator_sessions" to "quita_worker" using (true) with check (true);`);

    this.addSql(`grant select, insert, update on "operators" to quita_app;`);
    this.addSql(`grant select, insert, update, delete on "operator_invitations", "operator_sessions" to quita_app;`);
    this.addSql(`grant select, insert on "operator_acts" to quita_app;`);
    this.addSql(`grant usage on sequence "operator_acts_seq_seq" to quita_app, quita_operator;`);
    this.addSql(
      `grant delete, select (id, expires_at) on "operator_invitations", "operator_sessions" to quita_worker;`,
    );
    this.addSql(`grant delete, select (seq, at) on "operator_acts" to quita_worker;`);
    this.addSql(
      `grant select (id, email, created_at, last_login_at, removed_at), update (removed_at) on "operators" to quita_operator;`,
    );
    this.addSql(
      `grant select (id, email, expires_at, created_at), insert, delete on "operator_invitations" to quita_operator;`,
    );
    this.addSql(`grant select (operator_id), delete on "operator_sessions" to quita_operator;`);
    this.addSql(`grant insert on "operator_acts" to quita_operator;`);
    this.addSql(
      `grant select (cnpj, address), update (verified_name, verified_cnpj, verified_address, verified_senders) on "clients" to quita_functions;`,
    );
    this.addSql(`grant select (sender_name) on "campaigns" to quita_functions;`);
    this.addSql(`grant select (state, reason, replaced_at, updated_at) on "channel_senders" to quita_functions;`);
    this.addSql(
      `grant select (replaced_at, problem, certificate_expires_at, updated_at) on "client_credentials" to quita_functions;`,
    );
    this.addSql(`grant select (failing_since, disabled_reason, disabled_at) on "webhooks" to quita_functions;`);
    this.addSql(`grant select (webhook_id, state, next_attempt_at) on "webhook_deliveries" to quita_functions;`);
    this.addSql(`grant select (direction, handled_at, created_at) on "messages" to quita_functions;`);
    this.addSql(`grant select (handled_at, created_at) on "payment_notifications" to quita_functions;`);
    this.addSql(`grant select (workflow, workflow_id, last_error, available_at) on "outbox" to quita_functions;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "operator_sessions" drop constraint "operator_sessions_operator_id_foreign";`);

    this.addSql(`drop table if exists "operators" cascade;`);
    this.addSql(`drop table if exists "operator_acts" cascade;`);
    this.addSql(`drop table if exists "operator_invitations" cascade;`);
    this.addSql(`drop table if exists "operator_sessions" cascade;`);

    this.addSql(`drop policy "operators" on "clients";`);

    this.addSql(`drop policy "functions_select" on "webhook_deliveries";`);
  }
}
