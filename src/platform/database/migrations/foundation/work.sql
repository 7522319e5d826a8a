-- Work that crosses subjects: the outbox, idempotency keys and rate limits.

create table "idempotency_keys" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "route" text not null,
  "key_hash" text not null,
  "request_hash" text not null,
  "attempt" uuid not null,
  "running_until" timestamptz(3) null,
  "answer" bytea null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "idempotency_keys_created_at" on "idempotency_keys" ("created_at");
alter table "idempotency_keys" add constraint "idempotency_keys_key" unique ("client_id", "route", "key_hash");
alter table "idempotency_keys" add constraint "idempotency_keys_running_or_answered" check ((running_until is null) = (answer is not null));
alter table "idempotency_keys" enable row level security;
alter table "idempotency_keys" force row level security;
create policy "tenant" on "idempotency_keys" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "idempotency_keys" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "purge" on "idempotency_keys" for delete to "quita_worker" using (created_at < (current_timestamp - '24:00:00'::interval));
grant select, insert, update on "idempotency_keys" to quita_app;
grant delete, select (id, created_at) on "idempotency_keys" to quita_worker;

create table "outbox" (
  "id" uuid not null default gen_random_uuid(),
  "kind" text not null,
  "workflow" text not null,
  "workflow_id" text not null,
  "signal" text null,
  "payload" jsonb not null,
  "dedupe_key" text null,
  "requests" int not null default 1,
  "attempts" int not null default 0,
  "last_error" text null,
  "available_at" timestamptz(3) not null default quita_now(),
  "delivered_at" timestamptz(3) null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "outbox_pending" on "outbox" ("available_at") where delivered_at is null;
create index "outbox_delivered" on "outbox" ("delivered_at") where delivered_at is not null;
create unique index "outbox_dedupe_key" on "outbox" ("dedupe_key") where delivered_at is null;
alter table "outbox" add constraint "outbox_kind_known" check (kind in ('start', 'signal', 'signal_with_start', 'batch_signal'));
alter table "outbox" add constraint "outbox_signal_named" check ((signal is null) = (kind = 'start'));
grant select, insert, update, delete on "outbox" to quita_worker;
grant select (id, dedupe_key, requests, delivered_at, created_at), insert (id, kind, workflow, workflow_id, signal, payload, dedupe_key, available_at), update (requests) on "outbox" to quita_functions;

-- The counters may be lost in a crash, so that no write of them waits for the disk.
create unlogged table "rate_limits" (
  "key" text not null,
  "points" int not null,
  "expire" bigint null,
  primary key ("key")
);
alter table "rate_limits" enable row level security;
alter table "rate_limits" force row level security;
create policy "authentication" on "rate_limits" to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on') with check (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');
create policy "worker" on "rate_limits" to "quita_worker" using (true) with check (true);
grant select, insert, update, delete on "rate_limits" to quita_app;
grant select, delete on "rate_limits" to quita_worker;
