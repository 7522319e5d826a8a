import { Migration } from '@mikro-orm/migrations';

/**
 * The declarations that a year of bills is paid. The API and the worker revoke them with the receipt of a bill and store
 * their documents; the worker alone shortens them. Nobody deletes a row: it confirms its protocol.
 */
export class Migration20261128045908_annual_quittances extends Migration {
  override name = 'Migration20261128045908_annual_quittances';

  override up(): void {
    this.addSql(
      `create table "annual_quittances" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debt_id" uuid not null, "year" int not null, "sandbox" boolean not null, "protocol" text not null, "charge_ids" uuid[] not null, "content_hash" char(64) not null, "facts" jsonb not null, "statement" text not null, "member_id" uuid null default (quita_scope('app.member'::text))::uuid, "issued_at" timestamptz(3) not null, "revoked_at" timestamptz(3) null, "revoked_reason" text null, "pdf" bytea null, "sha256" char(64) null, "shortened_at" timestamptz(3) null, "created_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(`create index "annual_quittances_client" on "annual_quittances" ("client_id", "year");`);
    this.addSql(`create index "annual_quittances_debt" on "annual_quittances" ("debt_id");`);
    this.addSql(
      `create unique index "annual_quittances_valid" on "annual_quittances" ("client_id", "content_hash") where revoked_at is null;`,
    );
    this.addSql(`alter table "annual_quittances" add constraint "annual_quittances_protocol" unique ("protocol");`);

    this.addSql(
      `alter table "annual_quittances" add constraint "annual_quittances_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "annual_quittances" add constraint "annual_quittances_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(
      `alter table "annual_quittances" add constraint "annual_quittances_drawn_whole" check ((pdf is null) = (sha256 is null));`,
    );
    this.addSql(
      `alter table "annual_quittances" add constraint "annual_quittances_revoked_whole" check ((revoked_at is null) = (revoked_reason is null));`,
    );
    this.addSql(
      `alter table "annual_quittances" add constraint "annual_quittances_revoked_reason_known" check (revoked_reason in ('refund', 'chargeback', 'undone'));`,
    );
    this.addSql(
      `alter table "annual_quittances" add constraint "annual_quittances_has_bills" check (cardinality(charge_ids) > 0);`,
    );
    this.addSql(`alter table "annual_quittances" enable row level security;`);
    this.addSql(`alter table "annual_quittances" force row level security;`);
    this.addSql(
      `create policy "tenant" on "annual_quittances" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "annual_quittances" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `create policy "public_receipt" on "annual_quittances" for select to "quita_app" using (protocol = ( SELECT quita_scope('app.receipt_protocol'::text) AS quita_scope));`,
    );
    this.addSql(
      `create policy "functions_select" on "annual_quittances" for select to "quita_functions" using (true);`,
    );
    this.addSql(
      `grant select, insert, update (revoked_at, revoked_reason, pdf, sha256) on "annual_quittances" to quita_app, quita_worker;`,
    );
    this.addSql(`grant update (facts, shortened_at) on "annual_quittances" to quita_worker;`);
    this.addSql(`grant select (client_id, sandbox, protocol) on "annual_quittances" to quita_functions;`);
  }
}
