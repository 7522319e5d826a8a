import { Migration } from '@mikro-orm/migrations';

/**
 * A client decides for each campaign about the contacts, their hours, the name of the sender and the wording, and for
 * all campaigns about rules that are stricter than the policy. Rules and wordings are versions, because verdicts and
 * messages name the one that applied.
 */
export class Migration20261122205326_campaign_settings extends Migration {
  override name = 'Migration20261122205326_campaign_settings';

  override up(): void {
    this.addSql(
      `create table "client_rules" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "version" int not null, "rules" jsonb not null, "created_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(`alter table "client_rules" add constraint "client_rules_version" unique ("client_id", "version");`);

    this.addSql(
      `create table "message_texts" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "campaign_id" uuid not null, "step" int not null, "version" int not null, "text" text null, "short" text null, "created_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(`create index "message_texts_client" on "message_texts" ("client_id");`);
    this.addSql(
      `alter table "message_texts" add constraint "message_texts_version" unique ("campaign_id", "step", "version");`,
    );

    this.addSql(
      `alter table "campaigns" add "sequence" jsonb null, add "contact_hours" jsonb null, add "sender_name" text null;`,
    );

    this.addSql(`alter table "debts" add "is_plan_outdated" boolean not null default false;`);

    this.addSql(`alter table "messages" add "text_version" int null;`);

    this.addSql(
      `alter table "client_rules" add constraint "client_rules_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "client_rules" add constraint "client_rules_version_counts" check (version > 0);`);
    this.addSql(`alter table "client_rules" enable row level security;`);
    this.addSql(`alter table "client_rules" force row level security;`);
    this.addSql(
      `create policy "tenant" on "client_rules" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "client_rules" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );

    this.addSql(
      `alter table "message_texts" add constraint "message_texts_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "message_texts" add constraint "message_texts_campaign_id_foreign" foreign key ("campaign_id") references "campaigns" ("id");`,
    );
    this.addSql(`alter table "message_texts" add constraint "message_texts_counts" check (step > 0 and version > 0);`);
    this.addSql(
      `alter table "message_texts" add constraint "message_texts_short_has_text" check (short is null or text is not null);`,
    );
    this.addSql(`alter table "message_texts" enable row level security;`);
    this.addSql(`alter table "message_texts" force row level security;`);
    this.addSql(
      `create policy "tenant" on "message_texts" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql('grant select, insert on client_rules, message_texts to quita_app;');
    this.addSql('grant select, delete on client_rules to quita_worker;');
    this.addSql('grant select on message_texts to quita_worker;');
    this.addSql(
      `create policy "worker_search" on "message_texts" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
  }
}
