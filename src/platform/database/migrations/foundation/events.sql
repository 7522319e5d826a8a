-- The feed of changes and the webhooks that post it.

create table "events" (
  "seq" bigserial primary key,
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "type" text not null,
  "debt_id" uuid null,
  "campaign_id" uuid null,
  "at" timestamptz(3) not null,
  "sandbox" boolean not null,
  "data" jsonb not null,
  "number" bigint null,
  "place" bigint not null,
  "created_at" timestamptz(3) not null default quita_now()
);
create index "events_feed" on "events" ("client_id", "place", "seq");
create index "events_created_at" on "events" using brin ("created_at");
alter table "events" add constraint "events_type_known" check (type in ('debt.imported', 'debt.status_changed', 'debt.contacted', 'debt.message_received', 'payment.approved', 'payment.duplicate', 'payment.refunded', 'receipt.issued', 'receipt.revoked', 'campaign.status_changed', 'webhook.test'));
create trigger "events_delivered" after insert on "events" referencing new table as added for each statement execute function queue_deliveries();
alter table "events" enable row level security;
alter table "events" force row level security;
create policy "tenant" on "events" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "events" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "functions_insert" on "events" for insert to "quita_functions" with check (true);
create policy "purge" on "events" for delete to "quita_worker" using (created_at < (current_timestamp - '30 days'::interval));
grant select, insert on "events" to quita_app;
grant select, delete on "events" to quita_worker;
grant insert (client_id, type, debt_id, campaign_id, at, sandbox, data, place, created_at, number) on "events" to quita_functions;
grant usage on sequence "events_seq_seq" to quita_app, quita_functions;

create table "webhooks" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "url" text not null,
  "types" text[] null,
  "state" text not null default 'active',
  "disabled_reason" text null,
  "disabled_at" timestamptz(3) null,
  "failing_since" timestamptz(3) null,
  "paused_until" timestamptz(3) null,
  "secret" text not null,
  "previous_secret" text null,
  "previous_secret_until" timestamptz(3) null,
  "created_at" timestamptz(3) not null default quita_now(),
  "updated_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "webhooks_client" on "webhooks" ("client_id", "created_at", "id");
alter table "webhooks" add constraint "webhooks_state_known" check (state in ('active', 'disabled'));
alter table "webhooks" add constraint "webhooks_disabled_reason_known" check (disabled_reason in ('client', 'gone', 'failing'));
alter table "webhooks" add constraint "webhooks_disabled_whole" check ((state = 'disabled') = (disabled_at is not null) and (disabled_at is null) = (disabled_reason is null));
alter table "webhooks" add constraint "webhooks_previous_secret_whole" check ((previous_secret is null) = (previous_secret_until is null));
alter table "webhooks" add constraint "webhooks_types_known" check (types <@ array['debt.imported', 'debt.status_changed', 'debt.contacted', 'debt.message_received', 'payment.approved', 'payment.duplicate', 'payment.refunded', 'receipt.issued', 'receipt.revoked', 'campaign.status_changed']);
alter table "webhooks" enable row level security;
alter table "webhooks" force row level security;
create policy "tenant" on "webhooks" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "webhooks" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "functions_select" on "webhooks" for select to "quita_functions" using (true);
grant select, insert, update, delete on "webhooks" to quita_app;
grant select, update, delete on "webhooks" to quita_worker;
grant select (id, client_id, types, state) on "webhooks" to quita_functions;

create table "webhook_deliveries" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "webhook_id" uuid not null,
  "event_seq" bigint not null,
  "state" text not null default 'pending',
  "attempts" int not null default 0,
  "next_attempt_at" timestamptz(3) null,
  "manual" boolean not null default false,
  "last_attempt_at" timestamptz(3) null,
  "last_status" int null,
  "last_error" text null,
  "last_response" text null,
  "delivered_at" timestamptz(3) null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "webhook_deliveries_client" on "webhook_deliveries" ("client_id", "webhook_id", "event_seq");
create index "webhook_deliveries_due" on "webhook_deliveries" ("webhook_id", "next_attempt_at") where state = 'pending';
create index "webhook_deliveries_created_at" on "webhook_deliveries" using brin ("created_at");
alter table "webhook_deliveries" add constraint "webhook_deliveries_state_known" check (state in ('pending', 'delivered', 'failed'));
alter table "webhook_deliveries" add constraint "webhook_deliveries_due_while_pending" check ((state = 'pending') = (next_attempt_at is not null));
alter table "webhook_deliveries" enable row level security;
alter table "webhook_deliveries" force row level security;
create policy "tenant" on "webhook_deliveries" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "webhook_deliveries" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "functions_insert" on "webhook_deliveries" for insert to "quita_functions" with check (true);
create policy "purge" on "webhook_deliveries" for delete to "quita_worker" using (created_at < (current_timestamp - '30 days'::interval));
grant select, insert, update, delete on "webhook_deliveries" to quita_app;
grant select, update, delete on "webhook_deliveries" to quita_worker;
grant insert (client_id, webhook_id, event_seq, next_attempt_at) on "webhook_deliveries" to quita_functions;

alter table "webhooks" add constraint "webhooks_client_id_foreign" foreign key ("client_id") references "clients" ("id");
