import { Migration } from '@mikro-orm/migrations';

/**
 * Creates the tables of the collection engine: the contact ledger over all clients and the suppressions, which only the
 * contact gate reads, and the sandbox's outbox and the acts of its simulated debtors.
 */
export class Migration20261120234106_collection extends Migration {
  override name = 'Migration20261120234106_collection';

  override up(): void {
    this.addSql(
      `create table "contact_ledger" ("id" uuid not null default gen_random_uuid(), "sandbox" boolean not null, "person_key" text not null, "phone_key" text not null, "client_id" uuid not null, "debt_id" uuid not null, "kind" text not null, "at" timestamptz(3) not null, "hold_until" timestamptz(3) null, "message_id" uuid null, "created_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(`create index "contact_ledger_person" on "contact_ledger" ("person_key", "sandbox", "at");`);
    this.addSql(`create index "contact_ledger_phone" on "contact_ledger" ("phone_key", "sandbox", "at");`);
    this.addSql(`create unique index "contact_ledger_one_hold" on "contact_ledger" ("debt_id") where kind = 'hold';`);
    this.addSql(`alter table "contact_ledger" add constraint "contact_ledger_message" unique ("message_id");`);

    this.addSql(
      `create table "sandbox_acts" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debt_id" uuid not null, "kind" text not null, "text" text null, "due_at" timestamptz(3) not null, "done_at" timestamptz(3) null, "created_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(`create index "sandbox_acts_due" on "sandbox_acts" ("due_at") where done_at is null;`);
    this.addSql(`create index "sandbox_acts_debt" on "sandbox_acts" ("debt_id");`);
    this.addSql(`create index "sandbox_acts_client" on "sandbox_acts" ("client_id");`);

    this.addSql(
      `create table "sandbox_outbox" ("id" uuid not null default gen_random_uuid(), "seq" bigserial, "client_id" uuid not null, "debt_id" uuid null, "channel" text not null, "recipient" text not null, "purpose" text not null, "text" text not null, "document" jsonb null, "at" timestamptz(3) not null, "created_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(`create index "sandbox_outbox_client_seq" on "sandbox_outbox" ("client_id", "seq");`);
    this.addSql(`create index "sandbox_outbox_debt_seq" on "sandbox_outbox" ("debt_id", "seq");`);

    this.addSql(
      `create table "suppressions" ("id" uuid not null default gen_random_uuid(), "sandbox" boolean not null, "kind" text not null, "person_key" text not null, "phone_key" text not null, "client_id" uuid not null, "sender" text null, "created_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(`create index "suppressions_person" on "suppressions" ("person_key", "sandbox");`);

    this.addSql(
      `alter table "contact_ledger" add constraint "contact_ledger_kind_known" check (kind in ('booking', 'hold'));`,
    );
    this.addSql(
      `alter table "contact_ledger" add constraint "contact_ledger_hold_ends" check ((hold_until is not null) = (kind = 'hold'));`,
    );
    this.addSql(`alter table "contact_ledger" enable row level security;`);
    this.addSql(`alter table "contact_ledger" force row level security;`);
    this.addSql(`create policy "gate" on "contact_ledger" to "quita_worker" using (true) with check (true);`);

    this.addSql(
      `alter table "sandbox_acts" add constraint "sandbox_acts_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "sandbox_acts" add constraint "sandbox_acts_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(`alter table "sandbox_acts" add constraint "sandbox_acts_kind_known" check (kind in ('pay', 'say'));`);
    this.addSql(`alter table "sandbox_acts" enable row level security;`);
    this.addSql(`alter table "sandbox_acts" force row level security;`);
    this.addSql(
      `create policy "tenant" on "sandbox_acts" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "sandbox_acts" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );

    this.addSql(
      `alter table "sandbox_outbox" add constraint "sandbox_outbox_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "sandbox_outbox" add constraint "sandbox_outbox_debt_id_foreign" foreign key ("debt_id") references "debts" ("id") on delete set null;`,
    );
    this.addSql(`alter table "sandbox_outbox" enable row level security;`);
    this.addSql(`alter table "sandbox_outbox" force row level security;`);
    this.addSql(
      `create policy "tenant" on "sandbox_outbox" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "sandbox_outbox" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );

    this.addSql(
      `alter table "suppressions" add constraint "suppressions_kind_known" check (kind in ('opt_out', 'wrong_person'));`,
    );
    this.addSql(`alter table "suppressions" enable row level security;`);
    this.addSql(`alter table "suppressions" force row level security;`);
    this.addSql(`create policy "gate" on "suppressions" to "quita_worker" using (true) with check (true);`);
  }
}
