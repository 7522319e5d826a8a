import { Migration } from '@mikro-orm/migrations';

/**
 * Creates sessions, refresh tokens, API keys, identities and password resets of clients, all found by hashes; the
 * lockout of password logins; counters of rates; and the audit log.
 *
 * The serving roles may only add to the audit log, so that no defect and no attacker in a serving process can alter it.
 * The counters are unlogged: see the entity.
 */
export class Migration20261120235632_accounts extends Migration {
  override name = 'Migration20261120235632_accounts';

  override up(): void {
    this.addSql(
      `create table "audit_log" ("seq" bigserial primary key, "at" timestamptz(3) not null default current_timestamp(3), "client_id" uuid null, "actor" text not null, "action" text not null, "target" text null, "ip" text null, "details" jsonb null);`,
    );
    this.addSql(`create index "audit_log_client" on "audit_log" ("client_id", "seq");`);
    this.addSql(`create index "audit_log_action" on "audit_log" ("action", "seq");`);
    this.addSql(`revoke select, update, delete on "audit_log" from quita_app, quita_worker;`);

    this.addSql(
      `create table "api_keys" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "key_hash" text not null, "created_at" timestamptz(3) not null default current_timestamp(3), "revoked_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "api_keys_client" on "api_keys" ("client_id");`);
    this.addSql(`alter table "api_keys" add constraint "api_keys_key_hash" unique ("key_hash");`);
    this.addSql(`create unique index "api_keys_one_active" on "api_keys" ("client_id") where revoked_at is null;`);

    this.addSql(
      `create table "identities" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "issuer" text not null, "subject" text not null, "created_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(`create index "identities_client" on "identities" ("client_id");`);
    this.addSql(`alter table "identities" add constraint "identities_issuer_subject" unique ("issuer", "subject");`);

    this.addSql(
      `create table "login_lockouts" ("email_hash" text not null, "failed" int not null default 0, "locked_until" timestamptz(3) null, "in_flight" timestamptz[] not null, "updated_at" timestamptz(3) not null default current_timestamp(3), primary key ("email_hash"));`,
    );

    this.addSql(
      `create table "password_resets" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "token_hash" text not null, "created_at" timestamptz(3) not null default current_timestamp(3), "expires_at" timestamptz(3) not null, "used_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "password_resets_client" on "password_resets" ("client_id");`);
    this.addSql(`create index "password_resets_expires_at" on "password_resets" ("expires_at");`);
    this.addSql(`alter table "password_resets" add constraint "password_resets_token_hash" unique ("token_hash");`);

    this.addSql(
      `create unlogged table "rate_limits" ("key" text not null, "points" int not null, "expire" bigint null, primary key ("key"));`,
    );

    this.addSql(
      `create table "sessions" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "created_at" timestamptz(3) not null default current_timestamp(3), "expires_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "sessions_client" on "sessions" ("client_id");`);
    this.addSql(`create index "sessions_expires_at" on "sessions" ("expires_at");`);

    this.addSql(
      `create table "refresh_tokens" ("id" uuid not null default gen_random_uuid(), "session_id" uuid not null, "client_id" uuid not null, "token_hash" text not null, "created_at" timestamptz(3) not null default current_timestamp(3), "expires_at" timestamptz(3) not null, "used_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "refresh_tokens_session" on "refresh_tokens" ("session_id");`);
    this.addSql(`create index "refresh_tokens_client" on "refresh_tokens" ("client_id");`);
    this.addSql(`create index "refresh_tokens_expires_at" on "refresh_tokens" ("expires_at");`);
    this.addSql(`alter table "refresh_tokens" add constraint "refresh_tokens_token_hash" unique ("token_hash");`);

    this.addSql(
      `alter table "api_keys" add constraint "api_keys_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "api_keys" enable row level security;`);
    this.addSql(`alter table "api_keys" force row level security;`);
    this.addSql(
      `create policy "tenant" on "api_keys" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "api_keys" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );
    this.addSql(
      `create policy "authentication" on "api_keys" for select to "quita_app" using (current_setting('app.auth', true) = 'on');`,
    );

    this.addSql(
      `alter table "identities" add constraint "identities_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "identities" enable row level security;`);
    this.addSql(`alter table "identities" force row level security;`);
    this.addSql(
      `create policy "tenant" on "identities" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "identities" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );
    this.addSql(
      `create policy "authentication" on "identities" for select to "quita_app" using (current_setting('app.auth', true) = 'on');`,
    );

    this.addSql(
      `alter table "password_resets" add constraint "password_resets_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "password_resets" enable row level security;`);
    this.addSql(`alter table "password_resets" force row level security;`);
    this.addSql(
      `create policy "tenant" on "password_resets" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "password_resets" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );
    this.addSql(
      `create policy "authentication" on "password_resets" for select to "quita_app" using (current_setting('app.auth', true) = 'on');`,
    );
    this.addSql(
      `create policy "purge" on "password_resets" for delete to "quita_worker" using (expires_at < current_timestamp);`,
    );

    this.addSql(
      `alter table "sessions" add constraint "sessions_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "sessions" enable row level security;`);
    this.addSql(`alter table "sessions" force row level security;`);
    this.addSql(
      `create policy "tenant" on "sessions" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "sessions" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );
    this.addSql(
      `create policy "authentication" on "sessions" for select to "quita_app" using (current_setting('app.auth', true) = 'on');`,
    );
    this.addSql(
      `create policy "purge" on "sessions" for delete to "quita_worker" using (expires_at < current_timestamp);`,
    );

    this.addSql(
      `alter table "refresh_tokens" add constraint "refresh_tokens_session_id_foreign" foreign key ("session_id") references "sessions" ("id");`,
    );
    this.addSql(
      `alter table "refresh_tokens" add constraint "refresh_tokens_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "refresh_tokens" enable row level security;`);
    this.addSql(`alter table "refresh_tokens" force row level security;`);
    this.addSql(
      `create policy "tenant" on "refresh_tokens" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "refresh_tokens" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );
    this.addSql(
      `create policy "authentication" on "refresh_tokens" for select to "quita_app" using (current_setting('app.auth', true) = 'on');`,
    );
    this.addSql(
      `create policy "purge" on "refresh_tokens" for delete to "quita_worker" using (expires_at < current_timestamp);`,
    );
  }
}
