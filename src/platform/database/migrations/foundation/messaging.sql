-- Senders, messages out and in, attachments and suppressions.

create table "account_hours" (
  "scope" text not null,
  "hour" timestamptz(3) not null,
  "people" int not null,
  primary key ("scope", "hour")
);
grant select, insert, update, delete on "account_hours" to quita_worker;

create table "channel_templates" (
  "client_id" uuid not null,
  "channel" text not null,
  "account_id" text not null,
  "name" text not null,
  "state" text not null,
  "reason" text null,
  "updated_at" timestamptz(3) not null default quita_now(),
  primary key ("client_id", "channel", "account_id", "name")
);
alter table "channel_templates" add constraint "channel_templates_state_known" check (state in ('approved', 'pending', 'rejected', 'paused', 'missing'));
alter table "channel_templates" enable row level security;
alter table "channel_templates" force row level security;
create policy "tenant" on "channel_templates" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "channel_templates" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
grant select, update (state, reason, updated_at) on "channel_templates" to quita_app;
grant select, insert, update, delete on "channel_templates" to quita_worker;

create table "channel_senders" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "channel" text not null,
  "sender_id" text not null,
  "account_id" text null,
  "shown_as" text not null,
  "state" text not null default 'ready',
  "reason" text null,
  "paused_until" timestamptz(3) null,
  "quality" text null,
  "people_per_day" int null,
  "checked_at" timestamptz(3) null,
  "replaced_at" timestamptz(3) null,
  "created_at" timestamptz(3) not null default quita_now(),
  "updated_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create unique index "channel_senders_connected" on "channel_senders" ("client_id", "channel") where replaced_at is null;
create index "channel_senders_named" on "channel_senders" ("sender_id", "channel");
create index "channel_senders_account" on "channel_senders" ("account_id", "channel") where account_id is not null;
alter table "channel_senders" add constraint "channel_senders_sender" unique ("client_id", "channel", "sender_id");
alter table "channel_senders" add constraint "channel_senders_channel_known" check (channel in ('whatsapp', 'twilio', 'zenvia', 'email'));
alter table "channel_senders" add constraint "channel_senders_state_known" check (state in ('ready', 'paused', 'failing'));
alter table "channel_senders" add constraint "channel_senders_quality_known" check (quality in ('good', 'low', 'blocked'));
alter table "channel_senders" enable row level security;
alter table "channel_senders" force row level security;
create policy "tenant" on "channel_senders" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "channel_senders" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "functions_select" on "channel_senders" for select to "quita_functions" using (true);
grant select, update (state, reason, paused_until, quality, people_per_day, checked_at, updated_at) on "channel_senders" to quita_app;
grant select, insert, update, delete on "channel_senders" to quita_worker;
grant select (client_id, channel, sender_id, account_id) on "channel_senders" to quita_functions;

create table "contact_ledger" (
  "id" uuid not null default gen_random_uuid(),
  "sandbox" boolean not null,
  "person_key" text not null,
  "phone_key" text not null,
  "client_id" uuid not null,
  "debt_id" uuid not null,
  "kind" text not null,
  "at" timestamptz(3) not null,
  "reserved_until" timestamptz(3) null,
  "message_id" uuid null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "contact_ledger_person" on "contact_ledger" ("person_key", "sandbox", "at");
create index "contact_ledger_phone" on "contact_ledger" ("phone_key", "sandbox", "at");
create unique index "contact_ledger_one_reservation" on "contact_ledger" ("debt_id") where kind = 'reservation';
alter table "contact_ledger" add constraint "contact_ledger_message" unique ("message_id");
alter table "contact_ledger" add constraint "contact_ledger_kind_known" check (kind in ('booking', 'reservation'));
alter table "contact_ledger" add constraint "contact_ledger_reservation_ends" check ((reserved_until is not null) = (kind = 'reservation'));
alter table "contact_ledger" enable row level security;
alter table "contact_ledger" force row level security;
create policy "gate" on "contact_ledger" to "quita_worker" using (true) with check (true);
create policy "own" on "contact_ledger" for select to "quita_app" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
grant select (sandbox, person_key, phone_key, client_id, debt_id, kind, at, reserved_until) on "contact_ledger" to quita_app;
grant select, insert, update, delete on "contact_ledger" to quita_worker;

create table "messages" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "debt_id" uuid not null,
  "sender_failed" boolean not null default false,
  "also_about" uuid[] not null default '{}',
  "direction" text not null,
  "channel" text not null,
  "phone" text null,
  "purpose" text null,
  "text" text not null,
  "text_version" int null,
  "document" jsonb null,
  "staff" boolean not null default false,
  "delivery" text null,
  "channel_message_id" text null,
  "attempt_key" text null,
  "sender_id" text null,
  "tried_channels" text[] not null default '{}',
  "failure" text null,
  "is_undo_due" boolean not null default false,
  "button" text null,
  "cut_from" int null,
  "intent" text null,
  "handled_at" timestamptz(3) null,
  "automatic" boolean not null default false,
  "answered" boolean not null default false,
  "at" timestamptz(3) not null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "messages_debt_at" on "messages" ("debt_id", "at");
create index "messages_unhandled" on "messages" ("debt_id", "created_at") where direction = 'in' and handled_at is null;
create index "messages_undo_due" on "messages" ("debt_id") where is_undo_due;
alter table "messages" add constraint "messages_attempt_key" unique ("client_id", "attempt_key");
alter table "messages" add constraint "messages_channel_id" unique ("client_id", "channel", "channel_message_id");
alter table "messages" add constraint "messages_direction_known" check (direction in ('in', 'out'));
alter table "messages" add constraint "messages_purpose_known" check (purpose in ('collection', 'reply', 'receipt', 'opt_out_confirmation'));
alter table "messages" add constraint "messages_delivery_known" check (delivery in ('waiting', 'booked', 'sent', 'delivered', 'read', 'failed', 'unknown'));
alter table "messages" enable row level security;
alter table "messages" force row level security;
create policy "tenant" on "messages" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "messages" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "functions_select" on "messages" for select to "quita_functions" using (true);
create policy "retention" on "messages" as restrictive for delete to "quita_worker" using ((EXISTS ( SELECT
   FROM debts
  WHERE ((debts.id = messages.debt_id) AND (debts.status = ANY (ARRAY['OPTED_OUT'::text, 'PAID'::text, 'EXHAUSTED'::text, 'UNREACHABLE'::text, 'STOPPED'::text])) AND (debts.updated_at < (quita_now() - make_interval(days => 180)))))));
grant select, insert, update (delivery, channel_message_id, failure, is_undo_due) on "messages" to quita_app;
grant select, insert, update, delete on "messages" to quita_worker;
grant select (id, client_id, delivery) on "messages" to quita_functions;

create table "attachments" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "debt_id" uuid not null,
  "message_id" uuid not null,
  "kind" text not null,
  "channel" text not null,
  "sender_id" text not null,
  "attachment_id" text null,
  "content_type" text null,
  "filename" text null,
  "state" text not null default 'waiting',
  "sealed" text null,
  "bytes" int null,
  "created_at" timestamptz(3) not null default quita_now(),
  "read_at" timestamptz(3) null,
  primary key ("id")
);
create index "attachments_message" on "attachments" ("message_id");
create index "attachments_debt" on "attachments" ("debt_id", "created_at");
create index "attachments_client" on "attachments" ("client_id");
create index "attachments_created" on "attachments" ("created_at");
alter table "attachments" add constraint "attachments_kind_known" check (kind in ('image', 'audio', 'video', 'document', 'location', 'contact', 'other'));
alter table "attachments" add constraint "attachments_state_known" check (state in ('waiting', 'stored', 'absent'));
alter table "attachments" enable row level security;
alter table "attachments" force row level security;
create policy "tenant" on "attachments" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "attachments" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "purge" on "attachments" for delete to "quita_worker" using (created_at < (current_timestamp - '180 days'::interval));
grant select, insert on "attachments" to quita_app;
grant select, update, delete on "attachments" to quita_worker;

create table "message_texts" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "campaign_id" uuid not null,
  "step" int not null,
  "version" int not null,
  "text" text null,
  "short" text null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "message_texts_client" on "message_texts" ("client_id");
alter table "message_texts" add constraint "message_texts_version" unique ("campaign_id", "step", "version");
alter table "message_texts" add constraint "message_texts_counts" check (step > 0 and version > 0);
alter table "message_texts" add constraint "message_texts_short_has_text" check (short is null or text is not null);
alter table "message_texts" enable row level security;
alter table "message_texts" force row level security;
create policy "tenant" on "message_texts" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "message_texts" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
grant select, insert on "message_texts" to quita_app;
grant select on "message_texts" to quita_worker;

create table "recipients" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "channel" text not null,
  "person_key" text not null,
  "phone_key" text not null,
  "debt_id" uuid not null,
  "channel_user_id" text null,
  "reached_at" timestamptz(3) null,
  "unreachable_at" timestamptz(3) null,
  "wrote_at" timestamptz(3) null,
  "free_from" timestamptz(3) null,
  "counted_at" timestamptz(3) null,
  "created_at" timestamptz(3) not null default quita_now(),
  "updated_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "recipients_user" on "recipients" ("channel_user_id", "client_id", "channel") where channel_user_id is not null;
create index "recipients_debt" on "recipients" ("debt_id");
alter table "recipients" add constraint "recipients_address" unique ("client_id", "person_key", "phone_key", "channel");
alter table "recipients" add constraint "recipients_channel_known" check (channel in ('whatsapp', 'twilio', 'zenvia', 'email'));
alter table "recipients" enable row level security;
alter table "recipients" force row level security;
create policy "tenant" on "recipients" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "recipients" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
grant select, insert, update on "recipients" to quita_app;
grant select, insert, update, delete on "recipients" to quita_worker;

create table "sandbox_outbox" (
  "id" uuid not null default gen_random_uuid(),
  "seq" bigserial,
  "client_id" uuid not null,
  "debt_id" uuid null,
  "channel" text not null,
  "recipient" text not null,
  "purpose" text not null,
  "text" text not null,
  "document" jsonb null,
  "at" timestamptz(3) not null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "sandbox_outbox_client_seq" on "sandbox_outbox" ("client_id", "seq");
create index "sandbox_outbox_debt_seq" on "sandbox_outbox" ("debt_id", "seq");
alter table "sandbox_outbox" enable row level security;
alter table "sandbox_outbox" force row level security;
create policy "tenant" on "sandbox_outbox" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "sandbox_outbox" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
grant select, insert on "sandbox_outbox" to quita_app;
grant select, insert, update, delete on "sandbox_outbox" to quita_worker;
grant usage on sequence "sandbox_outbox_seq_seq" to quita_app, quita_worker;

create table "sender_pace" (
  "scope" text not null,
  "free_from" timestamptz(3) not null,
  primary key ("scope")
);
grant select, insert, update, delete on "sender_pace" to quita_worker;

create table "suppressions" (
  "id" uuid not null default gen_random_uuid(),
  "sandbox" boolean not null,
  "kind" text not null,
  "person_key" text not null,
  "phone_key" text not null,
  "client_id" uuid not null,
  "sender" text null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "suppressions_person" on "suppressions" ("person_key", "sandbox");
create index "suppressions_phone" on "suppressions" ("phone_key", "sandbox");
alter table "suppressions" add constraint "suppressions_kind_known" check (kind in ('opt_out', 'wrong_person', 'phone_opt_out'));
alter table "suppressions" enable row level security;
alter table "suppressions" force row level security;
create policy "gate" on "suppressions" to "quita_worker" using (true) with check (true);
create policy "own" on "suppressions" for select to "quita_app" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
grant select (sandbox, kind, person_key, phone_key, client_id, sender) on "suppressions" to quita_app;
grant select, insert on "suppressions" to quita_worker;

create table "unmatched_messages" (
  "id" uuid not null default gen_random_uuid(),
  "client_id" uuid not null,
  "channel" text not null,
  "sender_id" text not null,
  "channel_message_id" text not null,
  "sealed" text not null,
  "created_at" timestamptz(3) not null default quita_now(),
  primary key ("id")
);
create index "unmatched_messages_created" on "unmatched_messages" ("created_at");
alter table "unmatched_messages" add constraint "unmatched_messages_once" unique ("client_id", "channel", "channel_message_id");
alter table "unmatched_messages" enable row level security;
alter table "unmatched_messages" force row level security;
create policy "tenant" on "unmatched_messages" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);
create policy "worker_search" on "unmatched_messages" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);
create policy "purge" on "unmatched_messages" for delete to "quita_worker" using (created_at < (current_timestamp - '30 days'::interval));
grant select, insert on "unmatched_messages" to quita_app;
grant select, delete on "unmatched_messages" to quita_worker;

alter table "channel_templates" add constraint "channel_templates_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "channel_senders" add constraint "channel_senders_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "messages" add constraint "messages_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "messages" add constraint "messages_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");
alter table "attachments" add constraint "attachments_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "attachments" add constraint "attachments_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");
alter table "attachments" add constraint "attachments_message_id_foreign" foreign key ("message_id") references "messages" ("id");
alter table "message_texts" add constraint "message_texts_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "message_texts" add constraint "message_texts_campaign_id_foreign" foreign key ("campaign_id") references "campaigns" ("id");
alter table "recipients" add constraint "recipients_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "recipients" add constraint "recipients_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");
alter table "sandbox_outbox" add constraint "sandbox_outbox_client_id_foreign" foreign key ("client_id") references "clients" ("id");
alter table "sandbox_outbox" add constraint "sandbox_outbox_debt_id_foreign" foreign key ("debt_id") references "debts" ("id") on delete set null;
alter table "unmatched_messages" add constraint "unmatched_messages_client_id_foreign" foreign key ("client_id") references "clients" ("id");
