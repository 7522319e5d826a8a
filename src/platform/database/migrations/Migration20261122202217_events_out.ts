import { Migration } from '@mikro-orm/migrations';

/** `src/platform/database/routines/events.sql` replaces them right after the migrations; the triggers need their names. */
const FUNCTIONS = ['tell_of_debts', 'tell_of_timeline', 'tell_of_receipt', 'tell_of_campaign', 'queue_deliveries'];

const GRANTS: readonly string[] = [
  'select, insert on events to quita_app',
  'select, delete on events to quita_worker',
  'select, insert, update, delete on webhooks to quita_app',
  'select, update, delete on webhooks to quita_worker',
  'select, insert, update, delete on webhook_deliveries to quita_app',
  'select, update, delete on webhook_deliveries to quita_worker',
  'usage on sequence events_seq_seq to quita_app, quita_functions',
  'insert (client_id, type, debt_id, campaign_id, at, sandbox, data, place, created_at) on events to quita_functions',
  'select (id, client_id, types, state) on webhooks to quita_functions',
  'insert (client_id, webhook_id, event_seq, next_attempt_at) on webhook_deliveries to quita_functions',
  'select (delivery) on messages to quita_functions',
  'select (id) on outbox to quita_functions',
];

/**
 * Every change that a client's systems may want to know is an event, which triggers write in the transaction of the
 * change, so that no writer can forget it. Events are queued for the webhooks of the client in the same transaction.
 */
export class Migration20261122202217_events_out extends Migration {
  override name = 'Migration20261122202217_events_out';

  override up(): void {
    this.#makeFunctions();
    this.addSql(
      `create table "events" ("seq" bigserial primary key, "id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "type" text not null, "debt_id" uuid null, "campaign_id" uuid null, "at" timestamptz(3) not null, "sandbox" boolean not null, "data" jsonb not null, "place" bigint not null, "created_at" timestamptz(3) not null default quita_now());`,
    );
    this.addSql(`create index "events_feed" on "events" ("client_id", "place", "seq");`);
    this.addSql(`create index "events_created_at" on "events" using brin ("created_at");`);

    this.addSql(
      `create table "webhooks" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "url" text not null, "types" text[] null, "state" text not null default 'active', "disabled_reason" text null, "disabled_at" timestamptz(3) null, "failing_since" timestamptz(3) null, "paused_until" timestamptz(3) null, "secret" text not null, "previous_secret" text null, "previous_secret_until" timestamptz(3) null, "created_at" timestamptz(3) not null default quita_now(), "updated_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(`create index "webhooks_client" on "webhooks" ("client_id", "created_at", "id");`);

    this.addSql(
      `create table "webhook_deliveries" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "webhook_id" uuid not null, "event_seq" bigint not null, "state" text not null default 'pending', "attempts" int not null default 0, "next_attempt_at" timestamptz(3) null, "manual" boolean not null default false, "last_attempt_at" timestamptz(3) null, "last_status" int null, "last_error" text null, "last_response" text null, "delivered_at" timestamptz(3) null, "created_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(
      `create index "webhook_deliveries_client" on "webhook_deliveries" ("client_id", "webhook_id", "event_seq");`,
    );
    this.addSql(
      `create index "webhook_deliveries_due" on "webhook_deliveries" ("webhook_id", "next_attempt_at") where state = 'pending';`,
    );
    this.addSql(`create index "webhook_deliveries_created_at" on "webhook_deliveries" using brin ("created_at");`);

    this.addSql(
      `create trigger "campaigns_told" after update on "campaigns" for each row when (new.status is distinct from old.status) execute function tell_of_campaign();`,
    );

    this.addSql(
      `create trigger "debts_told_on_insert" after insert on "debts" referencing new table as added for each statement execute function tell_of_debts();`,
    );
    this.addSql(
      `create trigger "debts_told_on_update" after update on "debts" referencing old table as removed new table as added for each statement execute function tell_of_debts();`,
    );

    this.addSql(
      `create trigger "debt_events_told" after insert on "debt_events" referencing new table as added for each statement execute function tell_of_timeline();`,
    );

    this.addSql(
      `create trigger "receipts_told" after update on "receipts" for each row when (new.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) execute function tell_of_receipt();`,
    );

    this.addSql(
      `alter table "events" add constraint "events_type_known" check (type in ('debt.imported', 'debt.status_changed', 'debt.contacted', 'debt.message_received', 'payment.approved', 'payment.duplicate', 'payment.refunded', 'receipt.issued', 'receipt.revoked', 'campaign.status_changed', 'webhook.test'));`,
    );
    this.addSql(
      `create trigger "events_delivered" after insert on "events" referencing new table as added for each statement execute function queue_deliveries();`,
    );
    this.addSql(`alter table "events" enable row level security;`);
    this.addSql(`alter table "events" force row level security;`);
    this.addSql(
      `create policy "tenant" on "events" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "events" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(`create policy "functions_insert" on "events" for insert to "quita_functions" with check (true);`);
    this.addSql(
      `create policy "purge" on "events" for delete to "quita_worker" using (created_at < (current_timestamp - '30 days'::interval));`,
    );

    this.addSql(
      `alter table "webhooks" add constraint "webhooks_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "webhooks" add constraint "webhooks_state_known" check (state in ('active', 'disabled'));`,
    );
    this.addSql(
      `alter table "webhooks" add constraint "webhooks_disabled_reason_known" check (disabled_reason in ('client', 'gone', 'failing'));`,
    );
    this.addSql(
      `alter table "webhooks" add constraint "webhooks_disabled_whole" check ((state = 'disabled') = (disabled_at is not null) and (disabled_at is null) = (disabled_reason is null));`,
    );
    this.addSql(
      `alter table "webhooks" add constraint "webhooks_previous_secret_whole" check ((previous_secret is null) = (previous_secret_until is null));`,
    );
    this.addSql(
      `alter table "webhooks" add constraint "webhooks_types_known" check (types <@ array['debt.imported', 'debt.status_changed', 'debt.contacted', 'debt.message_received', 'payment.approved', 'payment.duplicate', 'payment.refunded', 'receipt.issued', 'receipt.revoked', 'campaign.status_changed']);`,
    );
    this.addSql(`alter table "webhooks" enable row level security;`);
    this.addSql(`alter table "webhooks" force row level security;`);
    this.addSql(
      `create policy "tenant" on "webhooks" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "webhooks" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(`create policy "functions_select" on "webhooks" for select to "quita_functions" using (true);`);

    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_state_known" check (state in ('pending', 'delivered', 'failed'));`,
    );
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_due_while_pending" check ((state = 'pending') = (next_attempt_at is not null));`,
    );
    this.addSql(`alter table "webhook_deliveries" enable row level security;`);
    this.addSql(`alter table "webhook_deliveries" force row level security;`);
    this.addSql(
      `create policy "tenant" on "webhook_deliveries" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "webhook_deliveries" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `create policy "functions_insert" on "webhook_deliveries" for insert to "quita_functions" with check (true);`,
    );
    this.addSql(
      `create policy "purge" on "webhook_deliveries" for delete to "quita_worker" using (created_at < (current_timestamp - '30 days'::interval));`,
    );
    for (const grant of GRANTS) this.addSql(`grant ${grant};`);
  }

  #makeFunctions(): void {
    this.addSql('grant create on schema public to quita_functions;');
    this.addSql('set local role quita_functions;');
    for (const name of FUNCTIONS) {
      this.addSql(`create function ${name}() returns trigger language plpgsql as $$ begin return null; end $$;`);
    }
    this.addSql('reset role;');
    this.addSql('revoke create on schema public from quita_functions;');
  }
}
