-- Charges, notifications of payments, and the pages of debtors.

create table "checkout_notices" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "debt_id" uuid not null,
  "notice" text not null,
  "created_at" timestamptz(3) not null default quita_now(),
  "shown_at" timestamptz(3) null,
  primary key ("id")
);
create index "checkout_notices_client" on "checkout_notices" ("client_id");
create index "checkout_notices_debt" on "checkout_notices" ("debt_id");
create index "checkout_notices_created_at" on "checkout_notices" ("created_at");
alter table "checkout_notices" enable row level security;
alter table "checkout_notices" force row level security;
create policy "tenant" on "checkout_notices" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "checkout_notices" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "purge" on "checkout_notices" for delete to "quita_worker" using (created_at < (current_timestamp - '1 day'::interval));
grant select, insert, update on "checkout_notices" to quita_app;
grant select, insert, delete on "checkout_notices" to quita_worker;

create table "charges" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "debt_id" uuid not null,
  "attempt" int not null,
  "provider" text not null,
  "account_id" text null,
  "provider_payment_id" text null,
  "provider_payment_key" text null,
  "status" text not null,
  "amount_centavos" bigint not null,
  "paid_centavos" bigint not null default '0',
  "refunded_centavos" bigint not null default '0',
  "br_code" text null,
  "expires_at" timestamptz(3) not null,
  "approved_at" timestamptz(3) null,
  "paid_at" timestamptz(3) null,
  "end_to_end_id" text null,
  "underpaid_at" timestamptz(3) null,
  "charged_back_at" timestamptz(3) null,
  "provider_updated_at" timestamptz(3) null,
  "settled_centavos" bigint null,
  "method" text null,
  "note" text null,
  "duplicate" boolean not null default false,
  "problem" text null,
  "retry_at" timestamptz(3) null,
  "last_asked_at" timestamptz(3) null,
  "superseded_at" timestamptz(3) null,
  "ask_at" timestamptz(3) null,
  "ask_failures" int not null default 0,
  "created_at" timestamptz(3) not null default quita_now(),
  "updated_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "charges_client" on "charges" ("client_id");
create index "charges_settled" on "charges" ("client_id", "approved_at", "id") where approved_at is not null and not duplicate and underpaid_at is null;
create index "charges_money" on "charges" ("client_id", coalesce("paid_at", "approved_at", "underpaid_at"), "id") where paid_centavos > 0;
create index "charges_approved" on "charges" ("approved_at") where approved_at is not null;
create index "charges_due" on "charges" ("client_id", coalesce("account_id", ''), "ask_at") where ask_at is not null;
alter table "charges" add constraint "charges_debt_attempt" unique ("debt_id", "attempt");
alter table "charges" add constraint "charges_provider_payment" unique ("provider_payment_key", "provider");
alter table "charges" add constraint "charges_provider_known" check (provider in ('sandbox', 'mercadopago', 'outside'));
alter table "charges" add constraint "charges_method_known" check (method in ('pix', 'cash', 'bank_transfer', 'boleto', 'card', 'cheque', 'other'));
alter table "charges" add constraint "charges_method_of_outside" check ((provider = 'outside') = (method is not null));
alter table "charges" add constraint "charges_status_known" check (status in ('PENDING', 'APPROVED', 'REJECTED', 'CANCELLED'));
alter table "charges" add constraint "charges_amount_positive" check (amount_centavos > 0);
alter table "charges" add constraint "charges_approved_at" check ((status = 'APPROVED') = (approved_at is not null));
alter table "charges" enable row level security;
alter table "charges" force row level security;
create policy "tenant" on "charges" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "charges" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "public_debt" on "charges" for select to "quita_app" using (debt_id = any (string_to_array(( SELECT quita_scope('app.debt_ids'::text) AS quita_scope), ',')::uuid[]));
create policy "functions_select" on "charges" for select to "quita_functions" using (true);
create policy "functions_update" on "charges" for update to "quita_functions" using (true) with check (true);
grant select, insert, update on "charges" to quita_app, quita_worker;
grant select (id, client_id, debt_id, attempt, provider, provider_payment_id, provider_payment_key, status, amount_centavos, br_code, expires_at, paid_at, underpaid_at, duplicate, ask_at, created_at, superseded_at, account_id, ask_failures), update (ask_at) on "charges" to quita_functions;

create table "debtor_pages" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "debtor_tax_id" text not null,
  "sandbox" boolean not null,
  "closed_at" timestamptz(3) null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create unique index "debtor_pages_open" on "debtor_pages" ("client_id", "debtor_tax_id", "sandbox") where closed_at is null;
create index "debtor_pages_client" on "debtor_pages" ("client_id");
alter table "debtor_pages" enable row level security;
alter table "debtor_pages" force row level security;
create policy "tenant" on "debtor_pages" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "debtor_pages" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "functions_select" on "debtor_pages" for select to "quita_functions" using (true);
grant select, insert on "debtor_pages" to quita_app;
grant select, insert, update, delete on "debtor_pages" to quita_worker;
grant select on "debtor_pages" to quita_functions;

create table "payment_notifications" (
  "seq" bigserial primary key,
  "client_id" uuid not null,
  "charge_id" uuid not null,
  "request_id" text not null,
  "signed_request" text null,
  "handled_at" timestamptz(3) null,
  "created_at" timestamptz(3) not null default quita_now()
);
create index "payment_notifications_client" on "payment_notifications" ("client_id");
create index "payment_notifications_handled" on "payment_notifications" ("handled_at") where handled_at is not null;
create index "payment_notifications_unhandled" on "payment_notifications" ("created_at") where handled_at is null;
alter table "payment_notifications" add constraint "payment_notifications_request" unique ("charge_id", "signed_request");
alter table "payment_notifications" enable row level security;
alter table "payment_notifications" force row level security;
create policy "tenant" on "payment_notifications" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "payment_notifications" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "purge" on "payment_notifications" for delete to "quita_worker" using (handled_at < (current_timestamp - '90 days'::interval));
create policy "functions_select" on "payment_notifications" for select to "quita_functions" using (true);
create policy "functions_insert" on "payment_notifications" for insert to "quita_functions" with check (true);
grant select (charge_id, handled_at) on "payment_notifications" to quita_app;
grant select, update, delete on "payment_notifications" to quita_worker;
grant select (charge_id, signed_request), insert (client_id, charge_id, request_id, signed_request) on "payment_notifications" to quita_functions;
grant usage on sequence "payment_notifications_seq_seq" to quita_functions;

create table "sandbox_acts" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "debt_id" uuid not null,
  "kind" text not null,
  "text" text null,
  "phone" text null,
  "due_at" timestamptz(3) not null,
  "done_at" timestamptz(3) null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "sandbox_acts_due" on "sandbox_acts" ("due_at") where done_at is null;
create index "sandbox_acts_debt" on "sandbox_acts" ("debt_id");
create index "sandbox_acts_client" on "sandbox_acts" ("client_id");
alter table "sandbox_acts" add constraint "sandbox_acts_kind_known" check (kind in ('pay', 'say'));
alter table "sandbox_acts" enable row level security;
alter table "sandbox_acts" force row level security;
create policy "tenant" on "sandbox_acts" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "sandbox_acts" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
grant select, insert, update on "sandbox_acts" to quita_app, quita_worker;

create table "sandbox_charges" (
  "id" text not null,
  "idempotency_key" text not null,
  "fingerprint" text not null,
  "status" text not null,
  "status_detail" text null,
  "amount_centavos" bigint not null,
  "paid_amount_centavos" bigint not null,
  "refunded_centavos" bigint not null,
  "currency" text not null,
  "external_reference" text not null,
  "br_code" text not null,
  "notification_url" text not null,
  "end_to_end_id" text null,
  "expires_at" timestamptz(3) not null,
  "paid_at" timestamptz(3) null,
  "created_at" timestamptz(3) not null default quita_now(),
  "updated_at" timestamptz(3) not null,
  "notified_at" timestamptz(3) not null,
  primary key ("id")
);
create index "sandbox_charges_reference" on "sandbox_charges" ("external_reference");
create index "sandbox_charges_untold" on "sandbox_charges" ("updated_at") where notified_at < updated_at;
alter table "sandbox_charges" add constraint "sandbox_charges_key" unique ("idempotency_key");
alter table "sandbox_charges" add constraint "sandbox_charges_status_known" check (status in ('pending', 'approved', 'cancelled', 'refunded', 'charged_back'));
alter table "sandbox_charges" enable row level security;
alter table "sandbox_charges" force row level security;
create policy "authentication" on "sandbox_charges" to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on') with check (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');
create policy "worker" on "sandbox_charges" to "quita_worker" using (true) with check (true);
grant select, insert, update on "sandbox_charges" to quita_app, quita_worker;

alter table "checkout_notices" add constraint "checkout_notices_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "checkout_notices" add constraint "checkout_notices_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");
alter table "charges" add constraint "charges_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "charges" add constraint "charges_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");
alter table "debtor_pages" add constraint "debtor_pages_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "payment_notifications" add constraint "payment_notifications_charge_id_foreign" foreign key ("charge_id") references "charges" ("id");
alter table "sandbox_acts" add constraint "sandbox_acts_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "sandbox_acts" add constraint "sandbox_acts_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");
