import { Migration } from '@mikro-orm/migrations';

/**
 * A debt may have several phones and e-mail addresses, of which one is in use. A message keeps the phone that it came
 * from or went to, because the phone in use changes. After a wrong person the person's page gets another
 * address.
 */
export class Migration20261122151643_debts_with_several_phones extends Migration {
  override name = 'Migration20261122151643_debts_with_several_phones';

  override up(): void {
    this.addSql(
      `create table "debt_phones" ("debt_id" uuid not null, "position" int not null, "client_id" uuid not null, "phone" text not null, primary key ("debt_id", "position"));`,
    );
    this.addSql(`create index "debt_phones_phone" on "debt_phones" ("phone", "client_id");`);
    this.addSql(`create index "debt_phones_client" on "debt_phones" ("client_id");`);

    this.addSql(`alter table "debts" add "debtor_emails" text[] null, add "page_closed_at" timestamptz(3) null;`);

    this.addSql(`alter table "debt_events" drop constraint "debt_events_kind_known";`);
    this.addSql(
      `alter table "debt_events" add constraint "debt_events_kind_known" check (kind in ('needs_person', 'verdict', 'charge_created', 'message_sent', 'message_received', 'status_changed', 'debt_changed', 'payment_approved', 'payment_duplicate', 'payment_changed', 'receipt_issued', 'email_sent'));`,
    );

    this.addSql(`alter table "debtor_pages" drop constraint "debtor_pages_person";`);
    this.addSql(`alter table "debtor_pages" add "closed_at" timestamptz(3) null;`);
    this.addSql(
      `create unique index "debtor_pages_open" on "debtor_pages" ("client_id", "debtor_cpf", "sandbox") where closed_at is null;`,
    );
    this.addSql(`create index "debtor_pages_client" on "debtor_pages" ("client_id");`);

    this.addSql(`alter table "messages" add "phone" text null;`);

    this.addSql(`alter table "sandbox_acts" add "phone" text null;`);

    this.addSql(
      `alter table "debt_phones" add constraint "debt_phones_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(
      `alter table "debt_phones" add constraint "debt_phones_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "debt_phones" enable row level security;`);
    this.addSql(`alter table "debt_phones" force row level security;`);
    this.addSql(
      `create policy "tenant" on "debt_phones" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "debt_phones" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql('grant select, insert on debt_phones to quita_app;');
    this.addSql('grant select, delete on debt_phones to quita_worker;');
    this.addSql('grant update on debtor_pages to quita_worker;');
  }
}
