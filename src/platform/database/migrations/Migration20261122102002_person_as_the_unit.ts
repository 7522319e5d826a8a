import { Migration } from '@mikro-orm/migrations';

/**
 * One message speaks of all open debts of a person, which has a page with an address of its own; a debt that is imported
 * again after its end is recognised as the same debt; and a phone from which silence was asked is found by its key.
 */
export class Migration20261122102002_person_as_the_unit extends Migration {
  override name = 'Migration20261122102002_person_as_the_unit';

  override up(): void {
    this.addSql(
      `create table "debtor_pages" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debtor_cpf" text not null, "sandbox" boolean not null, "created_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(
      `alter table "debtor_pages" add constraint "debtor_pages_person" unique ("client_id", "debtor_cpf", "sandbox");`,
    );

    this.addSql(`alter table "debts" drop constraint "debts_status_known";`);
    this.addSql(
      `alter table "debts" add "invoice_key" text null, add "identity_id" uuid not null default gen_random_uuid();`,
    );
    this.addSql(
      `create index "debts_invoice_key" on "debts" ("invoice_key", "client_id") where invoice_key is not null;`,
    );
    this.addSql(`create index "debts_identity" on "debts" ("identity_id");`);
    this.addSql(
      `alter table "debts" add constraint "debts_status_known" check (status in ('IMPORTED', 'QUEUED', 'IN_COLLECTION', 'PROMISED', 'ON_HOLD', 'DISPUTED', 'OPTED_OUT', 'PAID', 'EXHAUSTED', 'UNREACHABLE', 'STOPPED'));`,
    );

    this.addSql(`alter table "messages" add "also_about" uuid[] not null default '{}';`);

    this.addSql(`alter table "suppressions" drop constraint "suppressions_kind_known";`);
    this.addSql(`create index "suppressions_phone" on "suppressions" ("phone_key", "sandbox");`);
    this.addSql(
      `alter table "suppressions" add constraint "suppressions_kind_known" check (kind in ('opt_out', 'wrong_person', 'phone_opt_out'));`,
    );

    this.addSql(
      `alter table "debtor_pages" add constraint "debtor_pages_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "debtor_pages" enable row level security;`);
    this.addSql(`alter table "debtor_pages" force row level security;`);
    this.addSql(
      `create policy "tenant" on "debtor_pages" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "debtor_pages" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(`create policy "functions_select" on "debtor_pages" for select to "quita_functions" using (true);`);
    // Row security that is forced on the owner as well would hide every row from these updates.
    this.addSql('alter table "debts" no force row level security;');
    this.addSql(`update "debts" set "invoice_key" = lower("invoice_id") where "invoice_id" is not null;`);
    this.addSql(`update "debts" set "identity_id" = first."identity_id" from (
      select distinct on ("client_id", "invoice_key") "client_id", "invoice_key", "identity_id" from "debts"
      where "invoice_key" is not null order by "client_id", "invoice_key", "created_at", "id") first
      where first."client_id" = "debts"."client_id" and first."invoice_key" = "debts"."invoice_key";`);
    this.addSql(`update "debts" set "identity_id" = first."identity_id" from (
      select distinct on ("client_id", "debtor_cpf", "original_amount_centavos", "due_date") "client_id", "debtor_cpf",
        "original_amount_centavos", "due_date", "identity_id"
      from "debts" where "debtor_cpf" <> ''
      order by "client_id", "debtor_cpf", "original_amount_centavos", "due_date", "created_at", "id") first
      where "debts"."invoice_key" is null and first."client_id" = "debts"."client_id"
        and first."debtor_cpf" = "debts"."debtor_cpf"
        and first."original_amount_centavos" = "debts"."original_amount_centavos"
        and first."due_date" = "debts"."due_date";`);
    this.addSql('alter table "debts" force row level security;');
    this.addSql('grant select (charge_id, handled_at) on payment_notifications to quita_app;');
    this.addSql('grant select, insert on debtor_pages to quita_app;');
    this.addSql('grant select, insert, delete on debtor_pages to quita_worker;');
    this.addSql('grant select on debtor_pages to quita_functions;');
  }
}
