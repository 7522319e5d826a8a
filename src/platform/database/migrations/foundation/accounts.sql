-- Companies, how their people log in, API keys, and the log of the account.

create table "audit_log" (
  "seq" bigserial primary key,
  "at" timestamptz(3) not null default quita_now(),
  "client_id" uuid null,
  "actor" text not null,
  "action" text not null,
  "target" text null,
  "ip" text null,
  "details" jsonb null
);
create index "audit_log_client" on "audit_log" ("client_id", "seq");
create index "audit_log_action" on "audit_log" ("action", "seq");
create index "audit_log_at" on "audit_log" ("at");
alter table "audit_log" enable row level security;
create policy "add" on "audit_log" for insert to "quita_app" with check (client_id is null or client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid or ( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');
create policy "worker_add" on "audit_log" for insert to "quita_worker" with check (true);
create policy "own_entries" on "audit_log" for select to "quita_app" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "purge" on "audit_log" for delete to "quita_worker" using (at < (current_timestamp - '730 days'::interval));
create policy "purge_search" on "audit_log" for select to "quita_worker" using (at < (current_timestamp - '730 days'::interval));
grant select, insert on "audit_log" to quita_app;
grant insert, delete, select (seq, at) on "audit_log" to quita_worker;
grant usage on sequence "audit_log_seq_seq" to quita_app, quita_worker;

create table "clients" (
  "id" uuid not null default gen_random_uuid(),
  "name" text not null,
  "email" text not null,
  "plan" text not null,
  "status" text not null,
  "trial_ends_at" timestamptz(3) null,
  "cnpj" char(14) null,
  "segment" text null,
  "address" jsonb null,
  "contact_email" text null,
  "lawful_ground" text null,
  "collects_for" text not null default 'itself',
  "password_hash" text null,
  "email_confirmed_at" timestamptz(3) null,
  "confirm_email_by" timestamptz(3) null,
  "verified_at" timestamptz(3) null,
  "verified_name" text null,
  "verified_cnpj" char(14) null,
  "verified_address" jsonb null,
  "verified_senders" text[] null,
  "retention_days" int null,
  "created_at" timestamptz(3) not null default quita_now(),
  "updated_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "clients_confirm_email_by" on "clients" ("confirm_email_by") where confirm_email_by is not null;
alter table "clients" add constraint "clients_email_key" unique ("email");
alter table "clients" add constraint "clients_status_known" check (status in ('ONBOARDING', 'ACTIVE', 'PAUSED', 'CANCELLED'));
alter table "clients" add constraint "clients_lawful_ground_known" check (lawful_ground in ('contract', 'consent'));
alter table "clients" add constraint "clients_collects_for_known" check (collects_for in ('itself', 'others'));
alter table "clients" add constraint "clients_email_lower_case" check (email = lower(email));
alter table "clients" add constraint "clients_retention_bounded" check (retention_days >= 180 and retention_days <= 3653);
alter table "clients" add constraint "clients_verified_whole" check (verified_at is null or verified_name is not null and verified_cnpj is not null);
create trigger "clients_end_verification" before update of name, cnpj, address, collects_for on "clients" for each row execute function end_client_verification();
create trigger "clients_confirmed_by_link" before update of email_confirmed_at on "clients" for each row when (new.email_confirmed_at is distinct from old.email_confirmed_at) execute function require_authentication();
alter table "clients" enable row level security;
alter table "clients" force row level security;
create policy "tenant" on "clients" to "quita_app", "quita_worker" using (id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "clients" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "authentication" on "clients" for select to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');
create policy "functions_select" on "clients" for select to "quita_functions" using (true);
create policy "functions_update" on "clients" for update to "quita_functions" using (true) with check (true);
grant select, select (verified_address, verified_senders, collects_for), insert (id, name, email, plan, status, trial_ends_at, cnpj, segment, address, password_hash, created_at, updated_at, contact_email, email_confirmed_at, confirm_email_by), update (name, email, status, trial_ends_at, cnpj, segment, address, password_hash, updated_at, contact_email, email_confirmed_at, confirm_email_by, lawful_ground, collects_for) on "clients" to quita_app;
grant delete, select (id, name, email, plan, status, trial_ends_at, cnpj, segment, address, verified_at, created_at, updated_at, contact_email, email_confirmed_at, confirm_email_by, verified_name, verified_cnpj, lawful_ground, retention_days, verified_address, verified_senders, collects_for), insert (id, name, email, plan, status, trial_ends_at, cnpj, segment, address, password_hash, created_at, updated_at, contact_email, email_confirmed_at, confirm_email_by), update (name, email, plan, status, trial_ends_at, cnpj, segment, address, updated_at, contact_email, email_confirmed_at, confirm_email_by) on "clients" to quita_worker;
grant select (id, name, status, verified_at, verified_senders), update (verified_at) on "clients" to quita_functions;
grant update (verified_at, verified_name, verified_cnpj, retention_days, verified_address, verified_senders) on "clients" to quita_operator;

create table "api_keys" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "key_hash" text not null,
  "created_at" timestamptz(3) not null default quita_now(),
  "last_used_at" timestamptz(3) null,
  "revoked_at" timestamptz(3) null,
  primary key ("id")
);
create index "api_keys_client" on "api_keys" ("client_id");
alter table "api_keys" add constraint "api_keys_key_hash" unique ("key_hash");
create unique index "api_keys_one_active" on "api_keys" ("client_id") where revoked_at is null;
alter table "api_keys" enable row level security;
alter table "api_keys" force row level security;
create policy "tenant" on "api_keys" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "api_keys" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "authentication" on "api_keys" for select to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');
create policy "functions_select" on "api_keys" for select to "quita_functions" using (true);
grant select, insert, update on "api_keys" to quita_app;
grant select, delete on "api_keys" to quita_worker;
grant select (client_id, key_hash, revoked_at, last_used_at) on "api_keys" to quita_functions;

create table "client_credentials" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "purpose" text not null,
  "sealed" text not null,
  "account_id" text not null,
  "replaced_at" timestamptz(3) null,
  "ask_from" timestamptz(3) null,
  "ask_failures" int not null default 0,
  "created_at" timestamptz(3) not null default quita_now(),
  "updated_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create unique index "client_credentials_connected" on "client_credentials" ("client_id", "purpose") where replaced_at is null;
alter table "client_credentials" add constraint "client_credentials_account" unique ("client_id", "purpose", "account_id");
alter table "client_credentials" add constraint "client_credentials_purpose_known" check (purpose in ('mercadopago', 'whatsapp', 'twilio', 'zenvia', 'email'));
alter table "client_credentials" enable row level security;
alter table "client_credentials" force row level security;
create policy "tenant" on "client_credentials" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "client_credentials" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "functions_select" on "client_credentials" for select to "quita_functions" using (true);
create policy "purge" on "client_credentials" for delete to "quita_worker" using (replaced_at < (current_timestamp - '1 day'::interval));
grant select on "client_credentials" to quita_app;
grant select, insert, update, delete on "client_credentials" to quita_worker;
grant select (client_id, purpose, account_id, ask_from, ask_failures) on "client_credentials" to quita_functions;

create table "email_confirmations" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "token_hash" text not null,
  "created_at" timestamptz(3) not null default quita_now(),
  "expires_at" timestamptz(3) not null,
  "used_at" timestamptz(3) null,
  primary key ("id")
);
create index "email_confirmations_client" on "email_confirmations" ("client_id");
create index "email_confirmations_expires_at" on "email_confirmations" ("expires_at");
alter table "email_confirmations" add constraint "email_confirmations_token_hash" unique ("token_hash");
alter table "email_confirmations" enable row level security;
alter table "email_confirmations" force row level security;
create policy "tenant" on "email_confirmations" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "email_confirmations" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "authentication" on "email_confirmations" for select to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');
create policy "purge" on "email_confirmations" for delete to "quita_worker" using (expires_at < current_timestamp);
grant select, insert, update on "email_confirmations" to quita_app;
grant select, insert, delete on "email_confirmations" to quita_worker;
grant update (used_at) on "email_confirmations" to quita_operator;

create table "identities" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "issuer" text not null,
  "subject" text not null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "identities_client" on "identities" ("client_id");
alter table "identities" add constraint "identities_issuer_subject" unique ("issuer", "subject");
alter table "identities" enable row level security;
alter table "identities" force row level security;
create policy "tenant" on "identities" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "identities" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "authentication" on "identities" for select to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');
grant select, insert on "identities" to quita_app;
grant select, delete on "identities" to quita_worker;

create table "login_lockouts" (
  "email_hash" text not null,
  "failed" int not null default 0,
  "locked_until" timestamptz(3) null,
  "in_flight" timestamptz[] not null,
  "updated_at" timestamptz(3) not null default current_timestamp(3),
  primary key ("email_hash")
);
alter table "login_lockouts" enable row level security;
alter table "login_lockouts" force row level security;
create policy "authentication" on "login_lockouts" to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on') with check (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');
create policy "worker" on "login_lockouts" to "quita_worker" using (true) with check (true);
grant select, insert, update on "login_lockouts" to quita_app;
grant select, delete on "login_lockouts" to quita_worker;

create table "login_sources" (
  "email_hash" text not null,
  "source_hash" text not null,
  "last_login_at" timestamptz(3) not null,
  primary key ("email_hash", "source_hash")
);
create index "login_sources_last_login_at" on "login_sources" ("last_login_at");
alter table "login_sources" enable row level security;
alter table "login_sources" force row level security;
create policy "authentication" on "login_sources" to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on') with check (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');
create policy "worker" on "login_sources" to "quita_worker" using (true) with check (true);
grant select, insert, update, delete on "login_sources" to quita_app;
grant select, delete on "login_sources" to quita_worker;

create table "password_resets" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "token_hash" text not null,
  "created_at" timestamptz(3) not null default quita_now(),
  "expires_at" timestamptz(3) not null,
  "used_at" timestamptz(3) null,
  primary key ("id")
);
create index "password_resets_client" on "password_resets" ("client_id");
create index "password_resets_expires_at" on "password_resets" ("expires_at");
alter table "password_resets" add constraint "password_resets_token_hash" unique ("token_hash");
alter table "password_resets" enable row level security;
alter table "password_resets" force row level security;
create policy "tenant" on "password_resets" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "password_resets" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "authentication" on "password_resets" for select to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');
create policy "purge" on "password_resets" for delete to "quita_worker" using (expires_at < current_timestamp);
grant select, insert, update on "password_resets" to quita_app;
grant select, insert, delete on "password_resets" to quita_worker;

create table "sessions" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "created_at" timestamptz(3) not null default quita_now(),
  "expires_at" timestamptz(3) not null,
  "ended_at" timestamptz(3) null,
  "last_used_at" timestamptz(3) not null default quita_now(),
  "cookie_hash" text null,
  "idle_seconds" int null,
  "longest_until" timestamptz(3) null,
  primary key ("id")
);
create index "sessions_client" on "sessions" ("client_id");
create index "sessions_expires_at" on "sessions" ("expires_at");
alter table "sessions" add constraint "sessions_cookie_hash" unique ("cookie_hash");
alter table "sessions" add constraint "sessions_console_whole" check (num_nulls(cookie_hash, idle_seconds, longest_until) in (0, 3));
alter table "sessions" enable row level security;
alter table "sessions" force row level security;
create policy "tenant" on "sessions" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "sessions" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "authentication" on "sessions" for select to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');
create policy "purge" on "sessions" for delete to "quita_worker" using (expires_at < current_timestamp);
create policy "functions_select" on "sessions" for select to "quita_functions" using (true);
grant select, insert, update on "sessions" to quita_app;
grant select, delete on "sessions" to quita_worker;
grant select (id, client_id, ended_at) on "sessions" to quita_functions;

create table "refresh_tokens" (
  "id" uuid not null default gen_random_uuid(),
  "session_id" uuid not null,
  "client_id" uuid not null,
  "token_hash" text not null,
  "created_at" timestamptz(3) not null default quita_now(),
  "expires_at" timestamptz(3) not null,
  "used_at" timestamptz(3) null,
  primary key ("id")
);
create index "refresh_tokens_session" on "refresh_tokens" ("session_id");
create index "refresh_tokens_client" on "refresh_tokens" ("client_id");
create index "refresh_tokens_expires_at" on "refresh_tokens" ("expires_at");
alter table "refresh_tokens" add constraint "refresh_tokens_token_hash" unique ("token_hash");
alter table "refresh_tokens" enable row level security;
alter table "refresh_tokens" force row level security;
create policy "tenant" on "refresh_tokens" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "refresh_tokens" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "authentication" on "refresh_tokens" for select to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');
create policy "purge" on "refresh_tokens" for delete to "quita_worker" using (expires_at < current_timestamp);
grant select, insert, update on "refresh_tokens" to quita_app;
grant select, delete on "refresh_tokens" to quita_worker;

alter table "api_keys" add constraint "api_keys_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "client_credentials" add constraint "client_credentials_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "email_confirmations" add constraint "email_confirmations_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "identities" add constraint "identities_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "password_resets" add constraint "password_resets_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "sessions" add constraint "sessions_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "refresh_tokens" add constraint "refresh_tokens_session_id_foreign" foreign key ("session_id") references "sessions" ("id");
alter table "refresh_tokens" add constraint "refresh_tokens_client_id_foreign" foreign key ("client_id") references "clients" ("id");
