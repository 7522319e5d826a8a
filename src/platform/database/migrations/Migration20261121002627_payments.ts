import { Migration } from '@mikro-orm/migrations';

/**
 * Creates charges, the inbox of the provider's notifications, the clients' credentials, and the charges of the
 * simulated provider. A notification finds its charge by the provider's id alone, through the policy `notified_charge`.
 */
export class Migration20261121002627_payments extends Migration {
  override name = 'Migration20261121002627_payments';

  override up(): void {
    this.addSql(
      `create table "client_credentials" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "purpose" text not null, "sealed" text not null, "account_id" text not null, "created_at" timestamptz(3) not null default current_timestamp(3), "updated_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(
      `alter table "client_credentials" add constraint "client_credentials_purpose" unique ("client_id", "purpose");`,
    );

    this.addSql(
      `create table "charges" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debt_id" uuid not null, "attempt" int not null, "provider" text not null, "provider_payment_id" text null, "provider_payment_key" text null, "status" text not null, "amount_centavos" bigint not null, "paid_centavos" bigint not null default '0', "refunded_centavos" bigint not null default '0', "br_code" text null, "expires_at" timestamptz(3) not null, "approved_at" timestamptz(3) null, "paid_at" timestamptz(3) null, "end_to_end_id" text null, "underpaid_at" timestamptz(3) null, "charged_back_at" timestamptz(3) null, "duplicate" boolean not null default false, "problem" text null, "retry_at" timestamptz(3) null, "last_asked_at" timestamptz(3) null, "ask_at" timestamptz(3) null, "created_at" timestamptz(3) not null default current_timestamp(3), "updated_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(`create index "charges_client" on "charges" ("client_id");`);
    this.addSql(`create index "charges_ask" on "charges" ("ask_at") where ask_at is not null;`);
    this.addSql(`alter table "charges" add constraint "charges_debt_attempt" unique ("debt_id", "attempt");`);
    this.addSql(
      `alter table "charges" add constraint "charges_provider_payment" unique ("provider_payment_key", "provider");`,
    );

    this.addSql(
      `create table "payment_notifications" ("seq" bigserial primary key, "client_id" uuid not null, "charge_id" uuid not null, "request_id" text not null, "handled_at" timestamptz(3) null, "created_at" timestamptz(3) not null default current_timestamp(3));`,
    );
    this.addSql(`create index "payment_notifications_client" on "payment_notifications" ("client_id");`);
    this.addSql(`create index "payment_notifications_charge" on "payment_notifications" ("charge_id", "handled_at");`);
    this.addSql(
      `create index "payment_notifications_handled" on "payment_notifications" ("handled_at") where handled_at is not null;`,
    );

    this.addSql(
      `create table "sandbox_charges" ("id" text not null, "idempotency_key" text not null, "fingerprint" text not null, "status" text not null, "status_detail" text null, "amount_centavos" bigint not null, "paid_amount_centavos" bigint not null, "refunded_centavos" bigint not null, "currency" text not null, "external_reference" text not null, "br_code" text not null, "notification_url" text not null, "end_to_end_id" text null, "expires_at" timestamptz(3) not null, "paid_at" timestamptz(3) null, "created_at" timestamptz(3) not null default current_timestamp(3), "updated_at" timestamptz(3) not null, "notified_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`create index "sandbox_charges_reference" on "sandbox_charges" ("external_reference");`);
    this.addSql(
      `create index "sandbox_charges_untold" on "sandbox_charges" ("updated_at") where notified_at < updated_at;`,
    );
    this.addSql(`alter table "sandbox_charges" add constraint "sandbox_charges_key" unique ("idempotency_key");`);

    this.addSql(
      `alter table "client_credentials" add constraint "client_credentials_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "client_credentials" add constraint "client_credentials_purpose_known" check (purpose in ('mercadopago', 'whatsapp'));`,
    );
    this.addSql(`alter table "client_credentials" enable row level security;`);
    this.addSql(`alter table "client_credentials" force row level security;`);
    this.addSql(
      `create policy "tenant" on "client_credentials" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "client_credentials" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );

    this.addSql(
      `alter table "charges" add constraint "charges_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "charges" add constraint "charges_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(
      `alter table "charges" add constraint "charges_provider_known" check (provider in ('sandbox', 'mercadopago'));`,
    );
    this.addSql(
      `alter table "charges" add constraint "charges_status_known" check (status in ('PENDING', 'APPROVED', 'REJECTED', 'CANCELLED'));`,
    );
    this.addSql(`alter table "charges" add constraint "charges_amount_positive" check (amount_centavos > 0);`);
    this.addSql(
      `alter table "charges" add constraint "charges_approved_at" check ((status = 'APPROVED') = (approved_at is not null));`,
    );
    this.addSql(`alter table "charges" enable row level security;`);
    this.addSql(`alter table "charges" force row level security;`);
    this.addSql(
      `create policy "tenant" on "charges" to "quita_app", "quita_worker" using (client_id = ( SELECT nullif(current_setting('app.client_id', true), '')::uuid AS "nullif")) with check (client_id = ( SELECT nullif(current_setting('app.client_id', true), '')::uuid AS "nullif"));`,
    );
    this.addSql(
      `create policy "worker_search" on "charges" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );
    this.addSql(
      `create policy "public_debt" on "charges" for select to "quita_app" using (debt_id = ( SELECT nullif(current_setting('app.debt_id', true), '')::uuid AS "nullif"));`,
    );
    this.addSql(
      `create policy "notified_charge" on "charges" for select to "quita_app" using (provider_payment_key = ( SELECT nullif(current_setting('app.payment_key', true), '') AS "nullif"));`,
    );

    this.addSql(
      `alter table "payment_notifications" add constraint "payment_notifications_charge_id_foreign" foreign key ("charge_id") references "charges" ("id");`,
    );
    this.addSql(`alter table "payment_notifications" enable row level security;`);
    this.addSql(`alter table "payment_notifications" force row level security;`);
    this.addSql(
      `create policy "tenant" on "payment_notifications" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "payment_notifications" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );
    this.addSql(
      `create policy "purge" on "payment_notifications" for delete to "quita_worker" using (handled_at < (current_timestamp - '90 days'::interval));`,
    );

    this.addSql(
      `alter table "sandbox_charges" add constraint "sandbox_charges_status_known" check (status in ('pending', 'approved', 'cancelled', 'refunded', 'charged_back'));`,
    );

    // For a notification whose address does not name the client, the charge shows the client, which then becomes the
    // scope. The function runs with the rights of its caller, so row security applies inside.
    this.addSql(`create function note_payment(payment_key text, request_id text, outbox_kind text, outbox_workflow text,
        workflow_id_prefix text, outbox_signal text, dedupe_prefix text, sandbox_max_wait int)
      returns boolean language plpgsql as $$
        declare
          owner uuid;
          charge record;
        begin
          perform set_config('app.payment_key', payment_key, true);
          select c.client_id into owner from charges c where c.provider_payment_key = payment_key;
          if owner is null then
            return false;
          end if;
          perform set_config('app.payment_key', '', true), set_config('app.client_id', owner::text, true);
          select c.id, c.debt_id, d.campaign_id, d.sandbox, d.clock_offset_ms into strict charge
          from charges c join debts d on d.id = c.debt_id
          where c.client_id = owner and c.provider_payment_key = payment_key;
          insert into payment_notifications (client_id, charge_id, request_id) values (owner, charge.id, request_id);
          insert into outbox (kind, workflow, workflow_id, signal, payload, dedupe_key)
          values (outbox_kind, outbox_workflow, workflow_id_prefix || charge.debt_id, outbox_signal,
            jsonb_build_object('clientId', owner, 'campaignId', charge.campaign_id, 'debtId', charge.debt_id,
              'sandbox', charge.sandbox, 'maxWaitMs', case when charge.sandbox then sandbox_max_wait end,
              'offsetMs', charge.clock_offset_ms, 'firstAt', null),
            dedupe_prefix || charge.debt_id)
          on conflict (dedupe_key) where delivered_at is null do update set requests = outbox.requests + 1;
          return true;
        end $$;`);
  }
}
