import { Migration } from '@mikro-orm/migrations';

/**
 * A client states what it offers to its debtors, so that versions of this policy and the offers that were made by them
 * are stored. The timeline of a debt names the offers.
 */
export class Migration20261126210000_add_offers extends Migration {
  override name = 'Migration20261126210000_add_offers';

  override up(): void {
    this.addSql(
      `create table "offers" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debt_id" uuid not null, "sandbox" boolean not null, "number" int not null, "kind" text not null, "debts" jsonb not null, "total_centavos" bigint not null, "discount_centavos" bigint not null, "entry_centavos" bigint not null, "instalments" jsonb not null, "made_on" date not null, "valid_until" date not null, "made_by" text not null, "policy_version" int not null, "accepted_at" timestamptz(3) null, "created_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(`create index "offers_debt" on "offers" ("debt_id", "number");`);
    this.addSql(`create index "offers_client" on "offers" ("client_id");`);

    this.addSql(
      `create table "offer_policies" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "version" int not null, "policy" jsonb null, "created_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(
      `alter table "offer_policies" add constraint "offer_policies_version" unique ("client_id", "version");`,
    );

    this.addSql(`alter table "debt_events" drop constraint "debt_events_kind_known";`);
    this.addSql(
      `alter table "debt_events" add constraint "debt_events_kind_known" check (kind in ('needs_person', 'note', 'verdict', 'charge_created', 'message_sent', 'message_received', 'status_changed', 'debt_changed', 'payment_approved', 'payment_duplicate', 'payment_changed', 'receipt_issued', 'offer_made', 'email_sent'));`,
    );

    this.addSql(
      `alter table "offers" add constraint "offers_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "offers" add constraint "offers_debt_id_foreign" foreign key ("debt_id") references "debts" ("id") on delete cascade;`,
    );
    this.addSql(`alter table "offers" add constraint "offers_number_counts" check (number > 0);`);
    this.addSql(`alter table "offers" add constraint "offers_kind_known" check (kind in ('cash', 'instalments'));`);
    this.addSql(`alter table "offers" add constraint "offers_made_by_known" check (made_by in ('policy', 'staff'));`);
    this.addSql(`alter table "offers" add constraint "offers_total_positive" check (total_centavos > 0);`);
    this.addSql(`alter table "offers" add constraint "offers_discount_not_negative" check (discount_centavos >= 0);`);
    this.addSql(`alter table "offers" enable row level security;`);
    this.addSql(`alter table "offers" force row level security;`);
    this.addSql(
      `create policy "tenant" on "offers" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "offers" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );

    this.addSql(
      `alter table "offer_policies" add constraint "offer_policies_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "offer_policies" add constraint "offer_policies_version_counts" check (version > 0);`);
    this.addSql(`alter table "offer_policies" enable row level security;`);
    this.addSql(`alter table "offer_policies" force row level security;`);
    this.addSql(
      `create policy "tenant" on "offer_policies" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "offer_policies" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(`grant select, insert on "offer_policies" to quita_app;`);
    this.addSql(`grant select, delete on "offer_policies" to quita_worker;`);
    this.addSql(`grant select, insert on "offers" to quita_app;`);
    this.addSql(`grant select on "offers" to quita_worker;`);
  }
}
