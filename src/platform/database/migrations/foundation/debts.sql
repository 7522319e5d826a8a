-- Campaigns, debts, timelines and the inbox.

create table "campaigns" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "name" text not null,
  "status" text not null,
  "sandbox" boolean null,
  "channels" text[] null,
  "sequence" jsonb null,
  "contact_hours" jsonb null,
  "sender_name" text null,
  "launched_at" timestamptz(3) null,
  "event_count" bigint not null default '0',
  "created_at" timestamptz(3) not null default quita_now(),
  "updated_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "campaigns_client_created" on "campaigns" ("client_id", "created_at", "id");
alter table "campaigns" add constraint "campaigns_id_client" unique ("id", "client_id");
alter table "campaigns" add constraint "campaigns_status_known" check (status in ('DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED', 'ARCHIVED'));
alter table "campaigns" add constraint "campaigns_channels_known" check (channels <@ array['whatsapp', 'twilio', 'zenvia', 'email']);
create trigger "campaigns_event_counted" before update of status on "campaigns" for each row when (old.status is distinct from new.status) execute function count_event();
create trigger "campaigns_told" after update on "campaigns" for each row when (new.status is distinct from old.status) execute function tell_of_campaign();
create trigger "campaigns_sender_named" after insert or update of sender_name on "campaigns" for each row when (new.sender_name is not null and new.sandbox is not true) execute function end_verification_of_sender();
alter table "campaigns" enable row level security;
alter table "campaigns" force row level security;
create policy "tenant" on "campaigns" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "campaigns" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "functions_select" on "campaigns" for select to "quita_functions" using (true);
grant select, insert, update on "campaigns" to quita_app, quita_worker;
grant select (id, client_id) on "campaigns" to quita_functions;

create table "campaign_status_counts" (
  "campaign_id" uuid not null,
  "status" text not null,
  "slot" smallint not null,
  "client_id" uuid not null,
  "debts" int not null,
  "amount_centavos" bigint not null,
  primary key ("campaign_id", "status", "slot")
);
create index "campaign_status_counts_client" on "campaign_status_counts" ("client_id", "campaign_id");
-- These rows are updated often, so each page keeps free space for their next versions.
alter table "campaign_status_counts" set (fillfactor = 50);
alter table "campaign_status_counts" enable row level security;
alter table "campaign_status_counts" force row level security;
create policy "tenant" on "campaign_status_counts" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "campaign_status_counts" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
grant select, insert, update on "campaign_status_counts" to quita_app, quita_worker;

create table "campaign_due_counts" (
  "campaign_id" uuid not null,
  "due_date" date not null,
  "slot" smallint not null,
  "client_id" uuid not null,
  "debts" int not null,
  "amount_centavos" bigint not null,
  primary key ("campaign_id", "due_date", "slot")
);
create index "campaign_due_counts_client" on "campaign_due_counts" ("client_id", "campaign_id");
-- These rows are updated often, so each page keeps free space for their next versions.
alter table "campaign_due_counts" set (fillfactor = 50);
alter table "campaign_due_counts" enable row level security;
alter table "campaign_due_counts" force row level security;
create policy "tenant" on "campaign_due_counts" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "campaign_due_counts" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
grant select, insert, update on "campaign_due_counts" to quita_app, quita_worker;

create table "campaign_days" (
  "campaign_id" uuid not null,
  "day" date not null,
  "slot" smallint not null,
  "client_id" uuid not null,
  "contacts_sent" int not null default 0,
  "contacts_blocked" int not null default 0,
  "messages_received" int not null default 0,
  "payments_approved" int not null default 0,
  "recovered_centavos" bigint not null default '0',
  "promises_kept" int not null default 0,
  "promises_broken" int not null default 0,
  primary key ("campaign_id", "day", "slot")
);
create index "campaign_days_client_day" on "campaign_days" ("client_id", "day");
alter table "campaign_days" enable row level security;
alter table "campaign_days" force row level security;
create policy "tenant" on "campaign_days" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "campaign_days" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
grant select, insert, update on "campaign_days" to quita_app, quita_worker;

create table "debts" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "campaign_id" uuid not null,
  "position" int not null,
  "debtor_name" text not null,
  "name_key" text not null default '',
  "debtor_phone" text not null,
  "debtor_tax_id" text not null,
  "debtor_email" text null,
  "debtor_emails" text[] null,
  "original_amount_centavos" bigint not null,
  "due_date" date not null,
  "invoice_id" text null,
  "consent_at" text null,
  "consent_source" text null,
  "description" text null,
  "invoice_key" text null,
  "identity_id" uuid not null default gen_random_uuid(),
  "continued_by" uuid null,
  "imported_amount_centavos" bigint null,
  "imported_due_date" date null,
  "restarted_at" timestamptz(3) null,
  "end_corrected_at" timestamptz(3) null,
  "status" text not null,
  "sandbox" boolean not null default false,
  "score" int null,
  "score_reasons" jsonb null,
  "scored_at" timestamptz(3) null,
  "clock_offset_ms" bigint not null default '0',
  "last_event_at" timestamptz(3) null,
  "step" int not null default 0,
  "next_contact_at" timestamptz(3) null,
  "is_plan_outdated" boolean not null default false,
  "wrong_person_at" timestamptz(3) null,
  "page_closed_at" timestamptz(3) null,
  "paused_at" timestamptz(3) null,
  "timeline_purged_at" timestamptz(3) null,
  "retention_from" timestamptz(3) generated always as (CASE
    WHEN ((status = ANY (ARRAY['OPTED_OUT'::text, 'PAID'::text, 'EXHAUSTED'::text, 'UNREACHABLE'::text, 'STOPPED'::text])) AND ((timeline_purged_at IS NULL) OR (timeline_purged_at < updated_at))) THEN updated_at
    ELSE NULL::timestamp with time zone
END) stored null,
  "erased_at" timestamptz(3) null,
  "erased_person_key" text null,
  "event_count" bigint not null default '1',
  "created_at" timestamptz(3) not null default quita_now(),
  "updated_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "debts_client_invoice_key" on "debts" ("client_id", "invoice_key" text_pattern_ops) where invoice_key is not null;
create index "debts_client_name" on "debts" ("client_id", "name_key" collate "C", "id");
create index "debts_invoice_key" on "debts" ("invoice_key", "client_id") where invoice_key is not null;
create unique index "debts_current" on "debts" ("identity_id", "continued_by") nulls not distinct;
create index "debts_imported_as" on "debts" ("debtor_tax_id", "client_id", "imported_amount_centavos", "imported_due_date") where imported_amount_centavos is not null;
create index "debts_person" on "debts" ("debtor_tax_id", "client_id", "original_amount_centavos", "due_date");
create index "debts_phone" on "debts" ("debtor_phone", "client_id");
create unique index "debts_campaign_position" on "debts" ("campaign_id", "position");
create index "debts_campaign_status_position" on "debts" ("campaign_id", "status", "position");
create index "debts_campaign_queue" on "debts" ("campaign_id", "score" desc, "id" desc) where status = 'QUEUED' and scored_at is not null;
create index "debts_erased_person" on "debts" ("erased_person_key", "client_id") where erased_person_key is not null;
create index "debts_unplanned" on "debts" ("campaign_id", "position") where status = 'QUEUED' and next_contact_at is null and paused_at is null;
create index "debts_next_contact" on "debts" ("next_contact_at") where status in ('QUEUED', 'IN_COLLECTION', 'PROMISED') and paused_at is null and not sandbox;
create index "debts_without_moment" on "debts" ("id") where status in ('QUEUED', 'IN_COLLECTION', 'PROMISED') and paused_at is null and (sandbox or next_contact_at is null);
create index "debts_retention" on "debts" ("client_id", "retention_from", "id") where retention_from is not null;
create index "debts_paused" on "debts" ("paused_at") where paused_at is not null;
alter table "debts" add constraint "debts_status_known" check (status in ('IMPORTED', 'QUEUED', 'IN_COLLECTION', 'PROMISED', 'ON_HOLD', 'DISPUTED', 'OPTED_OUT', 'PAID', 'EXHAUSTED', 'UNREACHABLE', 'STOPPED'));
alter table "debts" add constraint "debts_amount_positive" check (original_amount_centavos > 0);
alter table "debts" add constraint "debts_continued_ended" check (continued_by is null or status in ('EXHAUSTED', 'UNREACHABLE', 'STOPPED', 'PAID'));
alter table "debts" add constraint "debts_imported_whole" check ((imported_amount_centavos is null) = (imported_due_date is null));
alter table "debts" add constraint "debts_consent_dated" check (consent_source is null or consent_at is not null);
create trigger "debts_counted_on_insert" after insert on "debts" referencing new table as added for each statement execute function count_debts_by_status();
create trigger "debts_counted_on_update" after update on "debts" referencing old table as removed new table as added for each statement when (pg_trigger_depth() = 0) execute function count_debts_by_status();
create trigger "debts_counted_on_delete" after delete on "debts" referencing old table as removed for each statement execute function count_debts_by_status();
create trigger "debts_event_counted" before update of status on "debts" for each row when (old.status is distinct from new.status) execute function count_event();
create trigger "debts_told_on_insert" after insert on "debts" referencing new table as added for each statement execute function tell_of_debts();
create trigger "debts_told_on_update" after update on "debts" referencing old table as removed new table as added for each statement execute function tell_of_debts();
alter table "debts" enable row level security;
alter table "debts" force row level security;
create policy "tenant" on "debts" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "debts" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "public_debt" on "debts" for select to "quita_app" using (id = any (string_to_array(( SELECT quita_scope('app.debt_ids'::text) AS quita_scope), ',')::uuid[]));
create policy "functions_select" on "debts" for select to "quita_functions" using (true);
create policy "functions_update" on "debts" for update to "quita_functions" using (true) with check (true);
grant select, insert, update, delete on "debts" to quita_app;
grant select, insert, update on "debts" to quita_worker;
grant select (id, client_id, campaign_id, original_amount_centavos, status, sandbox, clock_offset_ms, wrong_person_at, identity_id, continued_by, event_count), update (event_count) on "debts" to quita_functions;

create table "debt_events" (
  "seq" bigserial primary key,
  "client_id" uuid not null,
  "debt_id" uuid not null,
  "at" timestamptz(3) not null,
  "kind" text not null,
  "data" jsonb not null
);
create index "debt_events_debt_seq" on "debt_events" ("debt_id", "seq");
create index "debt_events_client" on "debt_events" ("client_id");
create index "debt_events_payment_changes" on "debt_events" ("client_id", "at") where kind = 'payment_changed';
alter table "debt_events" add constraint "debt_events_kind_known" check (kind in ('needs_person', 'note', 'verdict', 'charge_created', 'message_sent', 'message_received', 'status_changed', 'debt_changed', 'payment_approved', 'payment_duplicate', 'payment_changed', 'receipt_issued', 'email_sent'));
create trigger "debt_events_told" after insert on "debt_events" referencing new table as added for each statement execute function tell_of_timeline();
alter table "debt_events" enable row level security;
alter table "debt_events" force row level security;
create policy "tenant" on "debt_events" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "debt_events" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "retention" on "debt_events" as restrictive for delete to "quita_worker" using ((EXISTS ( SELECT
   FROM debts
  WHERE ((debts.id = debt_events.debt_id) AND (debts.status = ANY (ARRAY['OPTED_OUT'::text, 'PAID'::text, 'EXHAUSTED'::text, 'UNREACHABLE'::text, 'STOPPED'::text])) AND (debts.updated_at < (quita_now() - make_interval(days => 180)))))));
grant select, insert on "debt_events" to quita_app;
grant select, insert, delete on "debt_events" to quita_worker;
grant usage on sequence "debt_events_seq_seq" to quita_app, quita_worker;

create table "debt_notes" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "debt_id" uuid not null,
  "text" text not null,
  "at" timestamptz(3) not null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "debt_notes_debt" on "debt_notes" ("debt_id");
create index "debt_notes_client" on "debt_notes" ("client_id");
alter table "debt_notes" enable row level security;
alter table "debt_notes" force row level security;
create policy "tenant" on "debt_notes" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "debt_notes" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "retention" on "debt_notes" as restrictive for delete to "quita_worker" using ((EXISTS ( SELECT
   FROM debts
  WHERE ((debts.id = debt_notes.debt_id) AND (debts.status = ANY (ARRAY['OPTED_OUT'::text, 'PAID'::text, 'EXHAUSTED'::text, 'UNREACHABLE'::text, 'STOPPED'::text])) AND (debts.updated_at < (quita_now() - make_interval(days => 180)))))));
grant select, insert on "debt_notes" to quita_app;
grant delete, select (debt_id), update (text) on "debt_notes" to quita_worker;

create table "debt_phones" (
  "debt_id" uuid not null,
  "position" int not null,
  "client_id" uuid not null,
  "phone" text not null,
  primary key ("debt_id", "position")
);
create index "debt_phones_phone" on "debt_phones" ("phone", "client_id");
create index "debt_phones_client" on "debt_phones" ("client_id");
alter table "debt_phones" enable row level security;
alter table "debt_phones" force row level security;
create policy "tenant" on "debt_phones" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "debt_phones" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
grant select, insert, delete on "debt_phones" to quita_app;
grant select, delete on "debt_phones" to quita_worker;

create table "inbox_items" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "debt_id" uuid not null,
  "reason" text not null,
  "since" timestamptz(3) not null default quita_now(),
  "closed_at" timestamptz(3) null,
  "snoozed_until" timestamptz(3) null,
  "waiting_until" timestamptz(3) null,
  "told_at" timestamptz(3) null,
  "digest_id" uuid null,
  primary key ("id")
);
create index "inbox_items_debt" on "inbox_items" ("debt_id");
create index "inbox_items_told" on "inbox_items" ("client_id", "told_at");
create unique index "inbox_items_open" on "inbox_items" ("debt_id", "reason") where closed_at is null;
create index "inbox_items_order" on "inbox_items" ("client_id", (reason <> 'disputed'), "since", "id") where closed_at is null;
create index "inbox_items_reason" on "inbox_items" ("client_id", "reason", "since", "id") where closed_at is null;
create index "inbox_items_untold" on "inbox_items" ("client_id", "since") where told_at is null and closed_at is null;
alter table "inbox_items" add constraint "inbox_items_reason_known" check (reason in ('disputed', 'hardship', 'negotiate', 'human', 'underpaid', 'duplicate', 'overpaid', 'refunded', 'undelivered', 'attachment', 'settings', 'said_paid', 'question'));
alter table "inbox_items" enable row level security;
alter table "inbox_items" force row level security;
create policy "tenant" on "inbox_items" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "inbox_items" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
grant select, insert, update (debt_id, closed_at, snoozed_until, waiting_until) on "inbox_items" to quita_app;
grant select, insert, update on "inbox_items" to quita_worker;

create table "person_requests" (
  "client_id" uuid not null,
  "debtor_tax_id" text not null,
  "sandbox" boolean not null,
  "promised_for" date null,
  "said_paid_at" timestamptz(3) null,
  "staff_answers_until" timestamptz(3) null,
  "requests" text[] not null default '{}',
  "created_at" timestamptz(3) not null default quita_now(),
  "updated_at" timestamptz(3) not null default quita_now(),
  primary key ("client_id", "debtor_tax_id", "sandbox")
);
alter table "person_requests" add constraint "person_requests_known" check (requests <@ array['hardship', 'negotiate', 'human', 'said_paid', 'death']);
alter table "person_requests" enable row level security;
alter table "person_requests" force row level security;
create policy "tenant" on "person_requests" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "person_requests" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
grant select, insert, update on "person_requests" to quita_app;
grant select, insert, update, delete on "person_requests" to quita_worker;

alter table "campaigns" add constraint "campaigns_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "campaign_status_counts" add constraint "campaign_status_counts_campaign_id_foreign" foreign key ("campaign_id") references "campaigns" ("id");
alter table "campaign_status_counts" add constraint "campaign_status_counts_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "campaign_due_counts" add constraint "campaign_due_counts_campaign_id_foreign" foreign key ("campaign_id") references "campaigns" ("id");
alter table "campaign_due_counts" add constraint "campaign_due_counts_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "campaign_days" add constraint "campaign_days_campaign_id_foreign" foreign key ("campaign_id") references "campaigns" ("id");
alter table "campaign_days" add constraint "campaign_days_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "debts" add constraint "debts_campaign_id_client_id_foreign" foreign key ("campaign_id", "client_id") references "campaigns" ("id", "client_id");
alter table "debt_events" add constraint "debt_events_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "debt_events" add constraint "debt_events_debt_id_foreign" foreign key ("debt_id") references "debts" ("id") on delete cascade;
alter table "debt_notes" add constraint "debt_notes_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "debt_notes" add constraint "debt_notes_debt_id_foreign" foreign key ("debt_id") references "debts" ("id") on delete cascade;
alter table "debt_phones" add constraint "debt_phones_debt_id_foreign" foreign key ("debt_id") references "debts" ("id") on delete cascade;
alter table "debt_phones" add constraint "debt_phones_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "inbox_items" add constraint "inbox_items_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "inbox_items" add constraint "inbox_items_debt_id_foreign" foreign key ("debt_id") references "debts" ("id") on delete cascade;
alter table "person_requests" add constraint "person_requests_client_id_foreign" foreign key ("client_id") references "clients" ("id");
