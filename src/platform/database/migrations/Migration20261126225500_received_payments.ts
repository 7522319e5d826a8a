import { Migration } from '@mikro-orm/migrations';

/**
 * Money that came to an account without a charge waits until a person says which debt it is for, and is recognised when the
 * bank tells of it again.
 */
export class Migration20261126225500_received_payments extends Migration {
  override name = 'Migration20261126225500_received_payments';

  override up(): void {
    this.addSql(
      `create table "received_payments" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "source" text not null, "key" text not null, "amount_centavos" bigint not null, "paid_at" timestamptz(3) not null, "end_to_end_id" text null, "invoice_id" text null, "tax_id" text null, "method" text not null, "state" text not null, "debt_id" uuid null, "charge_id" uuid null, "created_at" timestamptz(3) not null default quita_now(), "updated_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(
      `create index "received_payments_undecided" on "received_payments" ("client_id", "created_at", "id") where state in ('unmatched', 'ambiguous', 'undone');`,
    );
    this.addSql(
      `create index "received_payments_unmatched" on "received_payments" ("created_at") where state in ('unmatched', 'ambiguous');`,
    );
    this.addSql(`create index "received_payments_debt" on "received_payments" ("debt_id") where debt_id is not null;`);
    this.addSql(
      `create index "received_payments_charge" on "received_payments" ("charge_id") where charge_id is not null;`,
    );
    this.addSql(
      `create index "received_payments_person" on "received_payments" ("tax_id", "client_id") where tax_id is not null;`,
    );
    this.addSql(`alter table "received_payments" add constraint "received_payments_key" unique ("client_id", "key");`);

    this.addSql(
      `alter table "received_payments" add constraint "received_payments_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "received_payments" add constraint "received_payments_debt_id_foreign" foreign key ("debt_id") references "debts" ("id") on delete no action;`,
    );
    this.addSql(
      `alter table "received_payments" add constraint "received_payments_charge_id_foreign" foreign key ("charge_id") references "charges" ("id") on delete no action;`,
    );
    this.addSql(
      `alter table "received_payments" add constraint "received_payments_source_known" check (source in ('file', 'bank'));`,
    );
    this.addSql(
      `alter table "received_payments" add constraint "received_payments_state_known" check (state in ('settled', 'unmatched', 'ambiguous', 'undone', 'dismissed'));`,
    );
    this.addSql(
      `alter table "received_payments" add constraint "received_payments_method_known" check (method in ('pix', 'cash', 'bank_transfer', 'boleto', 'card', 'cheque', 'other'));`,
    );
    this.addSql(
      `alter table "received_payments" add constraint "received_payments_amount_positive" check (amount_centavos > 0);`,
    );
    this.addSql(
      `alter table "received_payments" add constraint "received_payments_settled_whole" check (state <> 'settled' or (debt_id is not null and charge_id is not null));`,
    );
    this.addSql(`alter table "received_payments" enable row level security;`);
    this.addSql(`alter table "received_payments" force row level security;`);
    this.addSql(
      `create policy "tenant" on "received_payments" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "received_payments" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `create policy "purge" on "received_payments" for delete to "quita_worker" using (((state = ANY (ARRAY['unmatched'::text, 'ambiguous'::text])) AND (created_at < (CURRENT_TIMESTAMP - '180 days'::interval))));`,
    );
    this.addSql(`grant select, update on "received_payments" to quita_app;`);
    this.addSql(`grant select, insert, delete on "received_payments" to quita_worker;`);
  }
}
