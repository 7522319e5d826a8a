-- Receipts and their deliveries.

create table "receipts" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "debt_id" uuid not null,
  "charge_id" uuid not null,
  "protocol" text not null,
  "facts" jsonb not null,
  "template_version" int null,
  "sha256" char(64) null,
  "pdf" bytea null,
  "rendered_at" timestamptz(3) null,
  "issued_at" timestamptz(3) not null,
  "revoked_at" timestamptz(3) null,
  "revoked_reason" text null,
  "restored_at" timestamptz(3) null,
  "outdated" boolean not null default false,
  "rendering_by" uuid null,
  "rendering_until" timestamptz(3) null,
  "shortened_at" timestamptz(3) null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "receipts_client" on "receipts" ("client_id", "issued_at", "id");
create index "receipts_debt" on "receipts" ("debt_id");
alter table "receipts" add constraint "receipts_protocol" unique ("protocol");
alter table "receipts" add constraint "receipts_charge" unique ("charge_id");
alter table "receipts" add constraint "receipts_whole" check (num_nulls(pdf, sha256, template_version, rendered_at) in (0, 4));
alter table "receipts" add constraint "receipts_revoked_whole" check ((revoked_at is null) = (revoked_reason is null));
alter table "receipts" add constraint "receipts_restored_after_revoked" check (restored_at is null or revoked_at is not null);
alter table "receipts" add constraint "receipts_revoked_reason_known" check (revoked_reason in ('refund', 'chargeback'));
create trigger "receipts_told" after update on "receipts" for each row when (new.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) execute function tell_of_receipt();
-- PostgreSQL does not compress the PDF, because it is compressed already.
alter table "receipts" alter column "pdf" set storage external;
alter table "receipts" enable row level security;
alter table "receipts" force row level security;
create policy "tenant" on "receipts" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "receipts" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "public_receipt" on "receipts" for select to "quita_app" using (protocol = ( SELECT quita_scope('app.receipt_protocol'::text) AS quita_scope));
create policy "functions_select" on "receipts" for select to "quita_functions" using (true);
grant select, insert, update on "receipts" to quita_app, quita_worker;
grant select (charge_id, protocol, pdf, shortened_at) on "receipts" to quita_functions;

create table "receipt_deliveries" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "debt_id" uuid not null,
  "receipt_id" uuid not null,
  "way" text not null,
  "on_confirmation" boolean not null,
  "state" text not null default 'waiting',
  "attempts" int not null default 0,
  "wished_at" timestamptz(3) not null,
  "due_at" timestamptz(3) not null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create unique index "receipt_deliveries_confirmation" on "receipt_deliveries" ("receipt_id", "way") where on_confirmation;
create index "receipt_deliveries_debt" on "receipt_deliveries" ("debt_id", "due_at");
create index "receipt_deliveries_receipt" on "receipt_deliveries" ("receipt_id");
create index "receipt_deliveries_client" on "receipt_deliveries" ("client_id");
alter table "receipt_deliveries" add constraint "receipt_deliveries_way_known" check (way in ('message', 'email'));
alter table "receipt_deliveries" add constraint "receipt_deliveries_state_known" check (state in ('waiting', 'booked', 'sent', 'unknown', 'failed', 'refused'));
alter table "receipt_deliveries" enable row level security;
alter table "receipt_deliveries" force row level security;
create policy "tenant" on "receipt_deliveries" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "receipt_deliveries" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
grant select, insert, update on "receipt_deliveries" to quita_app, quita_worker;

alter table "receipts" add constraint "receipts_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "receipts" add constraint "receipts_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");
alter table "receipts" add constraint "receipts_charge_id_foreign" foreign key ("charge_id") references "charges" ("id");
alter table "receipt_deliveries" add constraint "receipt_deliveries_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "receipt_deliveries" add constraint "receipt_deliveries_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");
alter table "receipt_deliveries" add constraint "receipt_deliveries_receipt_id_foreign" foreign key ("receipt_id") references "receipts" ("id");
