import { Migration } from '@mikro-orm/migrations';

/**
 * Clients connect accounts at banks, through the console. An account tells how it is, when its certificate ends, and until
 * when the payments that came to it were read.
 */
export class Migration20261126225000_payment_accounts extends Migration {
  override name = 'Migration20261126225000_payment_accounts';

  override up(): void {
    this.addSql(`alter table "client_credentials" drop constraint "client_credentials_purpose_known";`);
    this.addSql(
      `alter table "client_credentials" add "profile" text null, add "certificate_expires_at" timestamptz(3) null, add "certificate_warned_days" int null, add "problem" text null, add "listed_until" timestamptz(3) null, add "list_at" timestamptz(3) null;`,
    );
    this.addSql(
      `create index "client_credentials_list" on "client_credentials" ("list_at") where list_at is not null;`,
    );
    this.addSql(
      `alter table "client_credentials" add constraint "client_credentials_purpose_known" check (purpose in ('mercadopago', 'pix', 'whatsapp', 'twilio', 'zenvia', 'email'));`,
    );
    this.addSql(
      `create policy "functions_update" on "client_credentials" for update to "quita_functions" using (true) with check (true);`,
    );
    this.addSql(`grant select (id, list_at), update (list_at) on "client_credentials" to quita_functions;`);
    this.addSql(`grant insert, update on "client_credentials" to quita_app;`);

    this.addSql(`alter table "charges" drop constraint "charges_provider_known";`);
    this.addSql(
      `alter table "charges" add constraint "charges_provider_known" check (provider in ('sandbox', 'mercadopago', 'pix', 'outside', 'agreement'));`,
    );
  }
}
