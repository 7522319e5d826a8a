import { Migration } from '@mikro-orm/migrations';

/**
 * Money that goes back is stored one by one: refunds before they are sent, and what a bank returned unasked. A client may
 * have what is more than was owed given back by itself, an item of the inbox may have a term, and a simulated charge knows
 * what went back of it.
 */
export class Migration20261127100000_add_refunds extends Migration {
  override name = 'Migration20261127100000_add_refunds';

  override up(): void {
    this.addSql(
      `create table "refunds" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debt_id" uuid not null, "charge_id" uuid not null, "kind" text not null, "state" text not null, "amount_centavos" bigint not null, "reason" text null, "asked_by" text null, "provider_refund_id" text null, "contest_until" timestamptz(3) null, "ask_at" timestamptz(3) null, "tries" int not null default 0, "tried_at" timestamptz(3) null, "failure" text null, "created_at" timestamptz(3) not null default quita_now(), "updated_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(`create index "refunds_client" on "refunds" ("client_id");`);
    this.addSql(`create index "refunds_debt" on "refunds" ("debt_id");`);
    this.addSql(`create index "refunds_due" on "refunds" ("ask_at") where ask_at is not null;`);
    this.addSql(
      `alter table "refunds" add constraint "refunds_provider_refund" unique ("charge_id", "provider_refund_id");`,
    );

    this.addSql(`alter table "clients" add "auto_refund_excess" boolean not null default false;`);

    this.addSql(`alter table "inbox_items" add "due_at" timestamptz(3) null;`);

    this.addSql(`alter table "sandbox_charges" add "reversals" jsonb not null default '[]';`);

    this.addSql(
      `alter table "refunds" add constraint "refunds_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "refunds" add constraint "refunds_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(
      `alter table "refunds" add constraint "refunds_charge_id_foreign" foreign key ("charge_id") references "charges" ("id");`,
    );
    this.addSql(
      `alter table "refunds" add constraint "refunds_kind_known" check (kind in ('asked', 'excess', 'refund', 'med_fraude', 'med_operacional', 'med_pix_automatico', 'chargeback'));`,
    );
    this.addSql(
      `alter table "refunds" add constraint "refunds_state_known" check (state in ('pending', 'done', 'failed'));`,
    );
    this.addSql(
      `alter table "refunds" add constraint "refunds_failure_known" check (failure in ('refused', 'not_made', 'account_gone', 'credentials_refused', 'payment_unknown'));`,
    );
    this.addSql(`alter table "refunds" add constraint "refunds_amount_positive" check (amount_centavos > 0);`);
    this.addSql(
      `alter table "refunds" add constraint "refunds_asked_while_pending" check (ask_at is null or state = 'pending');`,
    );
    this.addSql(`alter table "refunds" enable row level security;`);
    this.addSql(`alter table "refunds" force row level security;`);
    this.addSql(
      `create policy "tenant" on "refunds" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "refunds" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(`grant select, insert, update on "refunds" to quita_app, quita_worker;`);
    this.addSql(`grant select (auto_refund_excess) on "clients" to quita_app, quita_worker;`);
    this.addSql(`grant update (auto_refund_excess) on "clients" to quita_app;`);
    this.addSql(`grant update (due_at) on "inbox_items" to quita_app;`);
  }
}
