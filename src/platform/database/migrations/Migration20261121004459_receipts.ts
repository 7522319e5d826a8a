import { Migration } from '@mikro-orm/migrations';

/**
 * Creates receipts with their bytes, and the deliveries of receipts. A signed link finds its receipt by the protocol
 * alone, through the policy `public_receipt`. PostgreSQL does not compress the PDF, because it is compressed already.
 */
export class Migration20261121004459_receipts extends Migration {
  override name = 'Migration20261121004459_receipts';

  override up(): void {
    this.addSql(
      `create table "receipts" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debt_id" uuid not null, "charge_id" uuid not null, "protocol" text not null, "facts" jsonb not null, "template_version" int null, "sha256" char(64) null, "pdf" bytea null, "rendered_at" timestamptz(3) null, "issued_at" timestamptz(3) not null, "revoked_at" timestamptz(3) null, "revoked_reason" text null, "outdated" boolean not null default false, "rendering_by" uuid null, "rendering_until" timestamptz(3) null, "created_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(`alter table "receipts" alter column "pdf" set storage external;`);
    this.addSql(`create index "receipts_client" on "receipts" ("client_id");`);
    this.addSql(`create index "receipts_debt" on "receipts" ("debt_id");`);
    this.addSql(`alter table "receipts" add constraint "receipts_protocol" unique ("protocol");`);
    this.addSql(`alter table "receipts" add constraint "receipts_charge" unique ("charge_id");`);

    this.addSql(
      `create table "receipt_deliveries" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debt_id" uuid not null, "receipt_id" uuid not null, "way" text not null, "on_confirmation" boolean not null, "state" text not null default 'waiting', "attempts" int not null default 0, "wished_at" timestamptz(3) not null, "due_at" timestamptz(3) not null, "created_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(
      `create unique index "receipt_deliveries_confirmation" on "receipt_deliveries" ("receipt_id", "way") where on_confirmation;`,
    );
    this.addSql(`create index "receipt_deliveries_debt" on "receipt_deliveries" ("debt_id", "due_at");`);
    this.addSql(`create index "receipt_deliveries_receipt" on "receipt_deliveries" ("receipt_id");`);
    this.addSql(`create index "receipt_deliveries_client" on "receipt_deliveries" ("client_id");`);

    this.addSql(
      `create index "charges_settled" on "charges" ("client_id", "approved_at", "id") where approved_at is not null and not duplicate and underpaid_at is null;`,
    );
    this.addSql(`create index "charges_approved" on "charges" ("approved_at") where approved_at is not null;`);

    this.addSql(
      `alter table "receipts" add constraint "receipts_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "receipts" add constraint "receipts_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(
      `alter table "receipts" add constraint "receipts_charge_id_foreign" foreign key ("charge_id") references "charges" ("id");`,
    );
    this.addSql(
      `alter table "receipts" add constraint "receipts_whole" check (num_nulls(pdf, sha256, template_version, rendered_at) in (0, 4));`,
    );
    this.addSql(
      `alter table "receipts" add constraint "receipts_revoked_whole" check ((revoked_at is null) = (revoked_reason is null));`,
    );
    this.addSql(
      `alter table "receipts" add constraint "receipts_revoked_reason_known" check (revoked_reason in ('refund', 'chargeback'));`,
    );
    this.addSql(`alter table "receipts" enable row level security;`);
    this.addSql(`alter table "receipts" force row level security;`);
    this.addSql(
      `create policy "tenant" on "receipts" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "receipts" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );
    this.addSql(
      `create policy "public_receipt" on "receipts" for select to "quita_app" using (protocol = ( SELECT nullif(current_setting('app.receipt_protocol', true), '') AS "nullif"));`,
    );

    this.addSql(
      `alter table "receipt_deliveries" add constraint "receipt_deliveries_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "receipt_deliveries" add constraint "receipt_deliveries_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(
      `alter table "receipt_deliveries" add constraint "receipt_deliveries_receipt_id_foreign" foreign key ("receipt_id") references "receipts" ("id");`,
    );
    this.addSql(
      `alter table "receipt_deliveries" add constraint "receipt_deliveries_way_known" check (way in ('message', 'email'));`,
    );
    this.addSql(
      `alter table "receipt_deliveries" add constraint "receipt_deliveries_state_known" check (state in ('waiting', 'booked', 'sent', 'unknown', 'failed', 'refused'));`,
    );
    this.addSql(`alter table "receipt_deliveries" enable row level security;`);
    this.addSql(`alter table "receipt_deliveries" force row level security;`);
    this.addSql(
      `create policy "tenant" on "receipt_deliveries" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "receipt_deliveries" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );
  }
}
