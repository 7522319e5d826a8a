import { Migration } from '@mikro-orm/migrations';

/**
 * A charge names the account that made it, and an account that was replaced is kept for its charges. Until now a new
 * account took the place of the old one, whose open charges could then neither be settled nor cancelled.
 */
export class Migration20261122132212_provider_accounts extends Migration {
  override name = 'Migration20261122132212_provider_accounts';

  override up(): void {
    this.addSql(`alter table "client_credentials" drop constraint "client_credentials_purpose";`);
    this.addSql(`alter table "client_credentials" add "replaced_at" timestamptz(3) null;`);
    this.addSql(
      `create unique index "client_credentials_connected" on "client_credentials" ("client_id", "purpose") where replaced_at is null;`,
    );
    this.addSql(
      `alter table "client_credentials" add constraint "client_credentials_account" unique ("client_id", "purpose", "account_id");`,
    );
    this.addSql(
      `create policy "purge" on "client_credentials" for delete to "quita_worker" using (replaced_at < (current_timestamp - '1 day'::interval));`,
    );

    this.addSql(`alter table "charges" add "account_id" text null;`);
    // Until now a client had one account. Row security that is forced on the owner would hide the rows of both tables.
    this.addSql('alter table "charges" no force row level security;');
    this.addSql('alter table "client_credentials" no force row level security;');
    this.addSql(`update "charges" set "account_id" = connected."account_id" from "client_credentials" connected
      where "charges"."provider" = 'mercadopago' and connected."purpose" = 'mercadopago'
        and connected."client_id" = "charges"."client_id";`);
    this.addSql('alter table "charges" force row level security;');
    this.addSql('alter table "client_credentials" force row level security;');
  }
}
