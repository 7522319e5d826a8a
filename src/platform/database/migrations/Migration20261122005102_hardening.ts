import { Migration } from '@mikro-orm/migrations';

/**
 * Adds what the penetration test required: confirmed e-mail addresses, a verification with the checked name and CNPJ,
 * sources of logins that strangers cannot lock out, notices of the debtor's page that are shown once, HMACs of erased
 * persons, and an audit log that its client can read.
 *
 * For existing accounts an address counts as confirmed where the operator verified the account, an identity provider
 * vouches for it, or a reset link was opened. Every other account has 14 days, like a new one, and receives the link by
 * mail. A verification without a CNPJ ends, because there is no record of what was checked.
 */
export class Migration20261122005102_hardening extends Migration {
  override name = 'Migration20261122005102_hardening';

  override up(): void {
    this.addSql(
      `create table "checkout_notices" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debt_id" uuid not null, "notice" text not null, "created_at" timestamptz(3) not null default current_timestamp(3), "shown_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "checkout_notices_client" on "checkout_notices" ("client_id");`);
    this.addSql(`create index "checkout_notices_debt" on "checkout_notices" ("debt_id");`);
    this.addSql(`create index "checkout_notices_created_at" on "checkout_notices" ("created_at");`);

    this.addSql(
      `create table "email_confirmations" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "token_hash" text not null, "created_at" timestamptz(3) not null default current_timestamp(3), "expires_at" timestamptz(3) not null, "used_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "email_confirmations_client" on "email_confirmations" ("client_id");`);
    this.addSql(`create index "email_confirmations_expires_at" on "email_confirmations" ("expires_at");`);
    this.addSql(
      `alter table "email_confirmations" add constraint "email_confirmations_token_hash" unique ("token_hash");`,
    );

    this.addSql(
      `create table "login_sources" ("email_hash" text not null, "source_hash" text not null, "last_login_at" timestamptz(3) not null, primary key ("email_hash", "source_hash"));`,
    );
    this.addSql(`create index "login_sources_last_login_at" on "login_sources" ("last_login_at");`);

    this.addSql(`create index "audit_log_at" on "audit_log" ("at");`);
    this.addSql(`alter table "audit_log" enable row level security;`);
    this.addSql(`create policy "add" on "audit_log" for insert to "quita_app", "quita_worker" with check (true);`);
    this.addSql(
      `create policy "own_entries" on "audit_log" for select to "quita_app" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "purge" on "audit_log" for delete to "quita_worker" using (at < (current_timestamp - '730 days'::interval));`,
    );
    this.addSql(
      `create policy "purge_search" on "audit_log" for select to "quita_worker" using (at < (current_timestamp - '730 days'::interval));`,
    );

    this.addSql(
      `alter table "clients" add "contact_email" text null, add "email_confirmed_at" timestamptz(3) null, add "confirm_email_by" timestamptz(3) null, add "verified_name" text null, add "verified_cnpj" char(14) null;`,
    );
    this.addSql(
      `create index "clients_confirm_email_by" on "clients" ("confirm_email_by") where confirm_email_by is not null;`,
    );
    // Row security also applies to the owner, so without this the updates would change no row.
    this.addSql(`alter table "clients" no force row level security;`);
    this.addSql(`alter table "identities" no force row level security;`);
    this.addSql(`alter table "password_resets" no force row level security;`);
    this.addSql(
      `update "clients" set "verified_at" = case when "cnpj" is not null then "verified_at" end, "verified_name" = case when "verified_at" is not null and "cnpj" is not null then "name" end, "verified_cnpj" = case when "verified_at" is not null then "cnpj" end, "email_confirmed_at" = case when "verified_at" is not null or exists (select from "identities" where "client_id" = "clients"."id") or exists (select from "password_resets" where "client_id" = "clients"."id" and "used_at" is not null) then current_timestamp(3) end;`,
    );
    this.addSql(
      `update "clients" set "confirm_email_by" = current_timestamp + interval '14 days' where "email_confirmed_at" is null;`,
    );
    this.addSql(
      `insert into "outbox" ("id", "kind", "workflow", "workflow_id", "payload") select gen_random_uuid(), 'start', 'send-account-mail', 'account-mail-' || "request", jsonb_build_object('clientId', "id", 'requestId', "request", 'kind', 'email_confirmation') from (select "id", gen_random_uuid() as "request" from "clients" where "email_confirmed_at" is null offset 0) as "unconfirmed";`,
    );
    for (const table of ['clients', 'identities', 'password_resets']) {
      this.addSql(`alter table "${table}" force row level security;`);
    }
    this.addSql(
      `alter table "clients" add constraint "clients_verified_whole" check (verified_at is null or verified_name is not null and verified_cnpj is not null);`,
    );
    // This is a trigger, because the role that serves requests may not write these columns.
    this.addSql(`create function end_client_verification() returns trigger language plpgsql as $$
      begin
        if new.name is distinct from old.name or new.cnpj is distinct from old.cnpj then
          new.verified_at := null;
          new.verified_name := null;
          new.verified_cnpj := null;
        end if;
        return new;
      end $$;`);
    this.addSql(
      `create trigger "clients_end_verification" before update of name, cnpj on "clients" for each row execute function end_client_verification();`,
    );

    this.addSql(`alter table "api_keys" add "last_used_at" timestamptz(3) null;`);

    this.addSql(`alter table "debts" add "erased_person_key" text null;`);
    this.addSql(
      `create index "debts_erased_person" on "debts" ("erased_person_key", "client_id") where erased_person_key is not null;`,
    );

    this.addSql(`alter table "debt_events" drop constraint "debt_events_kind_known";`);
    this.addSql(
      `alter table "debt_events" add constraint "debt_events_kind_known" check (kind in ('needs_person', 'verdict', 'charge_created', 'message_sent', 'message_received', 'status_changed', 'payment_approved', 'payment_duplicate', 'payment_changed', 'receipt_issued', 'email_sent'));`,
    );

    this.addSql(`alter table "payment_notifications" add "signed_request" text null;`);

    this.addSql(`alter table "receipts" add "shortened_at" timestamptz(3) null;`);

    this.addSql(
      `alter table "checkout_notices" add constraint "checkout_notices_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "checkout_notices" add constraint "checkout_notices_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(`alter table "checkout_notices" enable row level security;`);
    this.addSql(`alter table "checkout_notices" force row level security;`);
    this.addSql(
      `create policy "tenant" on "checkout_notices" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "checkout_notices" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );
    this.addSql(
      `create policy "purge" on "checkout_notices" for delete to "quita_worker" using (created_at < (current_timestamp - '1 day'::interval));`,
    );

    this.addSql(
      `alter table "email_confirmations" add constraint "email_confirmations_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "email_confirmations" enable row level security;`);
    this.addSql(`alter table "email_confirmations" force row level security;`);
    this.addSql(
      `create policy "tenant" on "email_confirmations" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "email_confirmations" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );
    this.addSql(
      `create policy "authentication" on "email_confirmations" for select to "quita_app" using (current_setting('app.auth', true) = 'on');`,
    );
    this.addSql(
      `create policy "purge" on "email_confirmations" for delete to "quita_worker" using (expires_at < current_timestamp);`,
    );
  }
}
