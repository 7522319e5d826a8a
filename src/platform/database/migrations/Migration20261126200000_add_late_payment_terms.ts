import { Migration } from '@mikro-orm/migrations';

/**
 * A client states what it charges for late payment, so that versions of these terms, the published index values and the
 * version that each debt took are stored. A payment stores as of which day it counts and how it was credited: earlier
 * payments were all credited to the principal, on their day where most debtors live.
 */
export class Migration20261126200000_add_late_payment_terms extends Migration {
  override name = 'Migration20261126200000_add_late_payment_terms';

  override up(): void {
    this.addSql(
      `create table "index_values" ("series" text not null, "month" text not null, "millionths" bigint not null, "created_at" timestamptz(3) not null default quita_now(), primary key ("series", "month"));`,
    );

    this.addSql(
      `create table "late_payment_terms" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "version" int not null, "effective_from" date not null, "fine_basis_points" int not null, "interest_kind" text not null, "interest_basis_points" int null, "correction" text not null, "grace_days" int not null, "business_day_shift" boolean not null, "clause" text null, "created_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(
      `alter table "late_payment_terms" add constraint "late_payment_terms_version" unique ("client_id", "version");`,
    );

    this.addSql(`alter table "campaigns" add "on_partial" text not null default 'hold';`);
    this.addSql(
      `alter table "campaigns" add constraint "campaigns_on_partial_known" check (on_partial in ('hold', 'continue'));`,
    );

    this.addSql(
      `alter table "campaign_days" add "recovered_fine_centavos" bigint not null default '0', add "recovered_interest_centavos" bigint not null default '0', add "recovered_correction_centavos" bigint not null default '0', add "charged_fine_centavos" bigint not null default '0', add "charged_interest_centavos" bigint not null default '0', add "charged_correction_centavos" bigint not null default '0';`,
    );

    this.addSql(`alter table "debts" add "terms_id" uuid null;`);

    this.addSql(
      `alter table "charges" add "asked_on" date null, add "asked_fine_centavos" bigint not null default '0', add "asked_interest_centavos" bigint not null default '0', add "asked_correction_centavos" bigint not null default '0', add "credited_on" date null, add "covered_centavos" bigint null, add "waives_rest" boolean not null default false, add "principal_centavos" bigint not null default '0', add "fine_centavos" bigint not null default '0', add "interest_centavos" bigint not null default '0', add "correction_centavos" bigint not null default '0';`,
    );

    this.addSql(`alter table "receipts" add "kind" text not null default 'settlement';`);
    this.addSql(
      `alter table "receipts" add constraint "receipts_kind_known" check (kind in ('settlement', 'part', 'instalment'));`,
    );

    this.addSql(
      `alter table "index_values" add constraint "index_values_series_known" check (series in ('29543', '433'));`,
    );

    this.addSql(
      `alter table "late_payment_terms" add constraint "late_payment_terms_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "late_payment_terms" add constraint "late_payment_terms_version_counts" check (version > 0);`,
    );
    this.addSql(
      `alter table "late_payment_terms" add constraint "late_payment_terms_fine_lawful" check (fine_basis_points >= 0 and fine_basis_points <= 200);`,
    );
    this.addSql(
      `alter table "late_payment_terms" add constraint "late_payment_terms_interest_lawful" check (interest_basis_points >= 0 and interest_basis_points <= 100);`,
    );
    this.addSql(
      `alter table "late_payment_terms" add constraint "late_payment_terms_interest_known" check (interest_kind in ('none', 'monthly', 'legal'));`,
    );
    this.addSql(
      `alter table "late_payment_terms" add constraint "late_payment_terms_correction_known" check (correction in ('none', 'ipca'));`,
    );
    this.addSql(
      `alter table "late_payment_terms" add constraint "late_payment_terms_grace_bounded" check (grace_days >= 0 and grace_days <= 30);`,
    );
    this.addSql(`alter table "late_payment_terms" enable row level security;`);
    this.addSql(`alter table "late_payment_terms" force row level security;`);
    this.addSql(
      `create policy "tenant" on "late_payment_terms" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "late_payment_terms" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(`grant select, insert on "late_payment_terms" to quita_app;`);
    this.addSql(`grant select, delete on "late_payment_terms" to quita_worker;`);
    this.addSql(`grant select on "index_values" to quita_app;`);
    this.addSql(`grant select, insert, update on "index_values" to quita_worker;`);

    this.addSql(`update charges set principal_centavos = greatest(0, paid_centavos - refunded_centavos)
      where paid_centavos > 0 and not duplicate and charged_back_at is null;`);
    this.addSql(`update charges set covered_centavos = least(settled_centavos, debts.original_amount_centavos)
      from debts where debts.id = charges.debt_id and settled_centavos is not null;`);
    this.addSql(`update charges
      set credited_on = (coalesce(paid_at, approved_at, underpaid_at) at time zone 'America/Sao_Paulo')::date
      where paid_centavos > 0;`);
  }
}
