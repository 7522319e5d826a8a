import { Migration } from '@mikro-orm/migrations';

/**
 * Creates the roles of the API and of the worker, the clients and the outbox.
 *
 * One login owns all objects and migrates; its pools serve as quita_app or quita_worker (`set role`). These roles own
 * nothing, do not bypass row security, and see a tenant's rows only when a transaction names the tenant. Roles belong
 * to the whole server, so another database's migration may have created them, or may create them at the same moment;
 * neither is an error. With `inherit false` the owner may become such a role but does not otherwise have its rights and
 * policies.
 */
export class Migration20261120233106_foundation extends Migration {
  override name = 'Migration20261120233106_foundation';

  override up(): void {
    for (const role of ['quita_app', 'quita_worker']) {
      this.addSql(`do $$
        begin
          begin
            create role ${role} nologin;
          exception when duplicate_object or unique_violation then null;
          end;
          if not pg_has_role(current_user, '${role}', 'set') then
            grant ${role} to current_user with inherit false, set true;
          end if;
        end $$;`);
      this.addSql(`grant usage on schema public to ${role};`);
      this.addSql(
        `alter default privileges in schema public grant select, insert, update, delete on tables to ${role};`,
      );
      this.addSql(`alter default privileges in schema public grant usage, select on sequences to ${role};`);
    }

    this.addSql(
      `create table "clients" ("id" uuid not null default gen_random_uuid(), "name" text not null, "email" text not null, "plan" text not null, "status" text not null, "trial_ends_at" timestamptz(3) null, "cnpj" char(14) null, "segment" text null, "address" jsonb null, "password_hash" text null, "verified_at" timestamptz(3) null, "created_at" timestamptz(3) not null default current_timestamp(3), "updated_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(`alter table "clients" add constraint "clients_email_key" unique ("email");`);

    this.addSql(
      `create table "outbox" ("id" uuid not null default gen_random_uuid(), "kind" text not null, "workflow" text not null, "workflow_id" text not null, "signal" text null, "payload" jsonb not null, "dedupe_key" text null, "requests" int not null default 1, "attempts" int not null default 0, "last_error" text null, "available_at" timestamptz(3) not null default current_timestamp(3), "delivered_at" timestamptz(3) null, "created_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(`create index "outbox_pending" on "outbox" ("available_at") where delivered_at is null;`);
    this.addSql(`create index "outbox_delivered" on "outbox" ("delivered_at") where delivered_at is not null;`);
    this.addSql(`create unique index "outbox_dedupe_key" on "outbox" ("dedupe_key") where delivered_at is null;`);

    this.addSql(
      `alter table "clients" add constraint "clients_status_known" check (status in ('ONBOARDING', 'ACTIVE', 'PAUSED', 'CANCELLED'));`,
    );
    this.addSql(`alter table "clients" add constraint "clients_email_lower_case" check (email = lower(email));`);
    this.addSql(`alter table "clients" enable row level security;`);
    this.addSql(`alter table "clients" force row level security;`);
    this.addSql(
      `create policy "tenant" on "clients" to "quita_app", "quita_worker" using (id = nullif(current_setting('app.client_id', true), '')::uuid) with check (id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "clients" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );
    this.addSql(
      `create policy "authentication" on "clients" for select to "quita_app" using (current_setting('app.auth', true) = 'on');`,
    );

    this.addSql(
      `alter table "outbox" add constraint "outbox_kind_known" check (kind in ('start', 'signal', 'signal_with_start', 'batch_signal'));`,
    );
    this.addSql(
      `alter table "outbox" add constraint "outbox_signal_named" check ((signal is null) = (kind = 'start'));`,
    );
  }
}
