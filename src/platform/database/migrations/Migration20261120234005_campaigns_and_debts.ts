import { Migration } from '@mikro-orm/migrations';

/**
 * Creates campaigns, their debts, the messages and the timeline of each debt. The counters of a campaign are stored for
 * each day (`campaign_days`), because statistics over millions of messages must stay cheap.
 */
export class Migration20261120234005_campaigns_and_debts extends Migration {
  override name = 'Migration20261120234005_campaigns_and_debts';

  override up(): void {
    this.addSql(
      `create table "campaigns" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "name" text not null, "status" text not null, "sandbox" boolean null, "launched_at" timestamptz(3) null, "created_at" timestamptz(3) not null default current_timestamp(3), "updated_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(`create index "campaigns_client_created" on "campaigns" ("client_id", "created_at", "id");`);

    this.addSql(
      `create table "campaign_days" ("campaign_id" uuid not null, "day" date not null, "slot" smallint not null, "client_id" uuid not null, "contacts_sent" int not null default 0, "contacts_blocked" int not null default 0, "messages_received" int not null default 0, "payments_approved" int not null default 0, "recovered_centavos" bigint not null default '0', primary key ("campaign_id", "day", "slot"));`,
    );
    this.addSql(`create index "campaign_days_client_day" on "campaign_days" ("client_id", "day");`);

    this.addSql(
      `create table "debts" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "campaign_id" uuid not null, "position" int not null, "debtor_name" text not null, "debtor_phone" text not null, "debtor_cpf" text not null, "debtor_email" text null, "original_amount_centavos" bigint not null, "due_date" date not null, "invoice_id" text null, "status" text not null, "sandbox" boolean not null default false, "score" int null, "score_reasons" jsonb null, "scored_at" timestamptz(3) null, "clock_offset_ms" bigint not null default '0', "last_event_at" timestamptz(3) null, "step" int not null default 0, "next_contact_at" timestamptz(3) null, "promised_for" date null, "said_paid_at" timestamptz(3) null, "paused_at" timestamptz(3) null, "erased_at" timestamptz(3) null, "created_at" timestamptz(3) not null default current_timestamp(3), "updated_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(
      `create index "debts_client_invoice" on "debts" ("client_id", "invoice_id" text_pattern_ops) where invoice_id is not null;`,
    );
    this.addSql(
      `create index "debts_client_person" on "debts" ("client_id", "debtor_cpf", "original_amount_centavos", "due_date");`,
    );
    this.addSql(`create index "debts_client_phone" on "debts" ("client_id", "debtor_phone");`);
    this.addSql(
      `create index "debts_client_campaign_status" on "debts" ("client_id", "campaign_id", "status") include ("original_amount_centavos", "sandbox");`,
    );
    this.addSql(`create index "debts_paused" on "debts" ("paused_at") where paused_at is not null;`);
    this.addSql(`alter table "debts" add constraint "debts_campaign_position" unique ("campaign_id", "position");`);

    this.addSql(
      `create table "debt_events" ("seq" bigserial primary key, "client_id" uuid not null, "debt_id" uuid not null, "at" timestamptz(3) not null, "kind" text not null, "data" jsonb not null);`,
    );
    this.addSql(`create index "debt_events_debt_seq" on "debt_events" ("debt_id", "seq");`);
    this.addSql(`create index "debt_events_client" on "debt_events" ("client_id");`);

    this.addSql(
      `create table "messages" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debt_id" uuid not null, "direction" text not null, "channel" text not null, "purpose" text null, "text" text not null, "document" jsonb null, "delivery" text null, "channel_message_id" text null, "attempt_key" text null, "intent" text null, "handled_at" timestamptz(3) null, "at" timestamptz(3) not null, "created_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(`create index "messages_debt_at" on "messages" ("debt_id", "at");`);
    this.addSql(
      `create index "messages_unhandled" on "messages" ("debt_id", "created_at") where direction = 'in' and handled_at is null;`,
    );
    this.addSql(`alter table "messages" add constraint "messages_attempt_key" unique ("client_id", "attempt_key");`);
    this.addSql(
      `alter table "messages" add constraint "messages_channel_id" unique ("client_id", "channel", "channel_message_id");`,
    );

    this.addSql(
      `alter table "campaigns" add constraint "campaigns_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "campaigns" add constraint "campaigns_status_known" check (status in ('DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED', 'ARCHIVED'));`,
    );
    this.addSql(`alter table "campaigns" enable row level security;`);
    this.addSql(`alter table "campaigns" force row level security;`);
    this.addSql(
      `create policy "tenant" on "campaigns" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "campaigns" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );

    this.addSql(
      `alter table "campaign_days" add constraint "campaign_days_campaign_id_foreign" foreign key ("campaign_id") references "campaigns" ("id");`,
    );
    this.addSql(
      `alter table "campaign_days" add constraint "campaign_days_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "campaign_days" enable row level security;`);
    this.addSql(`alter table "campaign_days" force row level security;`);
    this.addSql(
      `create policy "tenant" on "campaign_days" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "campaign_days" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );

    this.addSql(
      `alter table "debts" add constraint "debts_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "debts" add constraint "debts_campaign_id_foreign" foreign key ("campaign_id") references "campaigns" ("id");`,
    );
    this.addSql(
      `alter table "debts" add constraint "debts_status_known" check (status in ('IMPORTED', 'QUEUED', 'IN_COLLECTION', 'PROMISED', 'ON_HOLD', 'DISPUTED', 'OPTED_OUT', 'PAID', 'EXHAUSTED', 'STOPPED'));`,
    );
    this.addSql(`alter table "debts" add constraint "debts_amount_positive" check (original_amount_centavos > 0);`);
    this.addSql(`alter table "debts" enable row level security;`);
    this.addSql(`alter table "debts" force row level security;`);
    this.addSql(
      `create policy "tenant" on "debts" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "debts" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );
    this.addSql(
      `create policy "public_debt" on "debts" for select to "quita_app" using (id = nullif(current_setting('app.debt_id', true), '')::uuid);`,
    );

    this.addSql(
      `alter table "debt_events" add constraint "debt_events_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "debt_events" add constraint "debt_events_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(
      `alter table "debt_events" add constraint "debt_events_kind_known" check (kind in ('verdict', 'charge_created', 'message_sent', 'message_received', 'status_changed', 'payment_approved', 'payment_duplicate', 'payment_changed', 'receipt_issued', 'email_sent'));`,
    );
    this.addSql(`alter table "debt_events" enable row level security;`);
    this.addSql(`alter table "debt_events" force row level security;`);
    this.addSql(
      `create policy "tenant" on "debt_events" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "debt_events" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );

    this.addSql(
      `alter table "messages" add constraint "messages_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "messages" add constraint "messages_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(`alter table "messages" add constraint "messages_direction_known" check (direction in ('in', 'out'));`);
    this.addSql(
      `alter table "messages" add constraint "messages_purpose_known" check (purpose in ('collection', 'reply', 'receipt', 'opt_out_confirmation'));`,
    );
    this.addSql(
      `alter table "messages" add constraint "messages_delivery_known" check (delivery in ('booked', 'sent', 'delivered', 'read', 'failed', 'unknown'));`,
    );
    this.addSql(`alter table "messages" enable row level security;`);
    this.addSql(`alter table "messages" force row level security;`);
    this.addSql(
      `create policy "tenant" on "messages" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "messages" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );
  }
}
