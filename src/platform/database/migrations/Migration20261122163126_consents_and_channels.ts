import { Migration } from '@mikro-orm/migrations';

/**
 * The debtor's page names the lawful ground that the client states, and the consent that an import may contain. A
 * campaign may choose its channels. Only a request of the client states the ground, so that the worker may read it and
 * not write it, and nobody may insert an account that has one.
 */
export class Migration20261122163126_consents_and_channels extends Migration {
  override name = 'Migration20261122163126_consents_and_channels';

  override up(): void {
    this.addSql(`alter table "clients" add "lawful_ground" text null;`);
    this.addSql(
      `alter table "clients" add constraint "clients_lawful_ground_known" check (lawful_ground in ('contract', 'consent'));`,
    );
    this.addSql('grant update (lawful_ground) on clients to quita_app;');
    this.addSql('grant select (lawful_ground) on clients to quita_worker;');

    this.addSql(`alter table "campaigns" add "channels" text[] null;`);
    this.addSql(
      `alter table "campaigns" add constraint "campaigns_channels_known" check (channels <@ array['whatsapp', 'twilio', 'zenvia', 'email']);`,
    );

    this.addSql(`alter table "debts" add "consent_at" text null, add "consent_source" text null;`);
    this.addSql(
      `alter table "debts" add constraint "debts_consent_dated" check (consent_source is null or consent_at is not null);`,
    );
  }
}
