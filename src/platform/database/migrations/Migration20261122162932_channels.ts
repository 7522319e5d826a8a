import { Migration } from '@mikro-orm/migrations';

/**
 * Real channels: the senders of clients and their state, what is known of each person on each channel, the pace that
 * channels demand, templates, files that debtors send, and messages of people without a debt. A message says which
 * sender carried it, which channels could not deliver it before, and whether it failed after it was accepted.
 */
export class Migration20261122162932_channels extends Migration {
  override name = 'Migration20261122162932_channels';

  override up(): void {
    this.addSql(
      `create table "account_hours" ("scope" text not null, "hour" timestamptz(3) not null, "people" int not null, primary key ("scope", "hour"));`,
    );

    this.addSql(
      `create table "channel_templates" ("client_id" uuid not null, "channel" text not null, "account_id" text not null, "name" text not null, "state" text not null, "reason" text null, "updated_at" timestamptz(3) not null default current_timestamp(3), primary key ("client_id", "channel", "account_id", "name"));`,
    );

    this.addSql(
      `create table "channel_senders" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "channel" text not null, "sender_id" text not null, "account_id" text null, "shown_as" text not null, "state" text not null default 'ready', "reason" text null, "paused_until" timestamptz(3) null, "quality" text null, "people_per_day" int null, "checked_at" timestamptz(3) null, "replaced_at" timestamptz(3) null, "created_at" timestamptz(3) not null default current_timestamp(3), "updated_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(
      `create unique index "channel_senders_connected" on "channel_senders" ("client_id", "channel") where replaced_at is null;`,
    );
    this.addSql(`create index "channel_senders_named" on "channel_senders" ("sender_id", "channel");`);
    this.addSql(
      `create index "channel_senders_account" on "channel_senders" ("account_id", "channel") where account_id is not null;`,
    );
    this.addSql(
      `alter table "channel_senders" add constraint "channel_senders_sender" unique ("client_id", "channel", "sender_id");`,
    );

    this.addSql(
      `create table "attachments" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debt_id" uuid not null, "message_id" uuid not null, "kind" text not null, "channel" text not null, "sender_id" text not null, "attachment_id" text null, "content_type" text null, "filename" text null, "state" text not null default 'waiting', "sealed" text null, "bytes" int null, "created_at" timestamptz(3) not null default current_timestamp(3), "read_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "attachments_message" on "attachments" ("message_id");`);
    this.addSql(`create index "attachments_debt" on "attachments" ("debt_id", "created_at");`);
    this.addSql(`create index "attachments_client" on "attachments" ("client_id");`);
    this.addSql(`create index "attachments_created" on "attachments" ("created_at");`);

    this.addSql(
      `create table "recipients" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "channel" text not null, "person_key" text not null, "phone_key" text not null, "debt_id" uuid not null, "channel_user_id" text null, "reached_at" timestamptz(3) null, "unreachable_at" timestamptz(3) null, "wrote_at" timestamptz(3) null, "free_from" timestamptz(3) null, "counted_at" timestamptz(3) null, "created_at" timestamptz(3) not null default current_timestamp(3), "updated_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(
      `create index "recipients_user" on "recipients" ("channel_user_id", "client_id", "channel") where channel_user_id is not null;`,
    );
    this.addSql(`create index "recipients_debt" on "recipients" ("debt_id");`);
    this.addSql(
      `alter table "recipients" add constraint "recipients_address" unique ("client_id", "person_key", "phone_key", "channel");`,
    );

    this.addSql(
      `create table "sender_pace" ("scope" text not null, "free_from" timestamptz(3) not null, primary key ("scope"));`,
    );

    this.addSql(
      `create table "unmatched_messages" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "channel" text not null, "sender_id" text not null, "channel_message_id" text not null, "sealed" text not null, "created_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(`create index "unmatched_messages_created" on "unmatched_messages" ("created_at");`);
    this.addSql(
      `alter table "unmatched_messages" add constraint "unmatched_messages_once" unique ("client_id", "channel", "channel_message_id");`,
    );

    this.addSql(`alter table "client_credentials" drop constraint "client_credentials_purpose_known";`);
    this.addSql(
      `alter table "client_credentials" add constraint "client_credentials_purpose_known" check (purpose in ('mercadopago', 'whatsapp', 'twilio', 'zenvia', 'email'));`,
    );

    this.addSql(
      `alter table "messages" add "sender_id" text null, add "tried_channels" text[] not null default '{}', add "failure" text null, add "is_undo_due" boolean not null default false, add "button" text null, add "cut_from" int null;`,
    );
    this.addSql(`create index "messages_undo_due" on "messages" ("debt_id") where is_undo_due;`);

    this.addSql(
      `alter table "channel_templates" add constraint "channel_templates_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "channel_templates" add constraint "channel_templates_state_known" check (state in ('approved', 'pending', 'rejected', 'paused', 'missing'));`,
    );
    this.addSql(`alter table "channel_templates" enable row level security;`);
    this.addSql(`alter table "channel_templates" force row level security;`);
    this.addSql(
      `create policy "tenant" on "channel_templates" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "channel_templates" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );

    this.addSql(
      `alter table "channel_senders" add constraint "channel_senders_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "channel_senders" add constraint "channel_senders_channel_known" check (channel in ('whatsapp', 'twilio', 'zenvia', 'email'));`,
    );
    this.addSql(
      `alter table "channel_senders" add constraint "channel_senders_state_known" check (state in ('ready', 'paused', 'failing'));`,
    );
    this.addSql(
      `alter table "channel_senders" add constraint "channel_senders_quality_known" check (quality in ('good', 'low', 'blocked'));`,
    );
    this.addSql(`alter table "channel_senders" enable row level security;`);
    this.addSql(`alter table "channel_senders" force row level security;`);
    this.addSql(
      `create policy "tenant" on "channel_senders" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "channel_senders" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(`create policy "functions_select" on "channel_senders" for select to "quita_functions" using (true);`);

    this.addSql(
      `alter table "attachments" add constraint "attachments_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "attachments" add constraint "attachments_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(
      `alter table "attachments" add constraint "attachments_message_id_foreign" foreign key ("message_id") references "messages" ("id");`,
    );
    this.addSql(
      `alter table "attachments" add constraint "attachments_kind_known" check (kind in ('image', 'audio', 'video', 'document', 'location', 'contact', 'other'));`,
    );
    this.addSql(
      `alter table "attachments" add constraint "attachments_state_known" check (state in ('waiting', 'stored', 'absent'));`,
    );
    this.addSql(`alter table "attachments" enable row level security;`);
    this.addSql(`alter table "attachments" force row level security;`);
    this.addSql(
      `create policy "tenant" on "attachments" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "attachments" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `create policy "purge" on "attachments" for delete to "quita_worker" using (created_at < (current_timestamp - '180 days'::interval));`,
    );

    this.addSql(
      `alter table "recipients" add constraint "recipients_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "recipients" add constraint "recipients_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(
      `alter table "recipients" add constraint "recipients_channel_known" check (channel in ('whatsapp', 'twilio', 'zenvia', 'email'));`,
    );
    this.addSql(`alter table "recipients" enable row level security;`);
    this.addSql(`alter table "recipients" force row level security;`);
    this.addSql(
      `create policy "tenant" on "recipients" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "recipients" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );

    this.addSql(
      `alter table "unmatched_messages" add constraint "unmatched_messages_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "unmatched_messages" enable row level security;`);
    this.addSql(`alter table "unmatched_messages" force row level security;`);
    this.addSql(
      `create policy "tenant" on "unmatched_messages" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "unmatched_messages" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `create policy "purge" on "unmatched_messages" for delete to "quita_worker" using (created_at < (current_timestamp - '30 days'::interval));`,
    );
    this.addSql('grant select, insert, update, delete on sender_pace, account_hours to quita_worker;');
    this.addSql(
      'grant select, update (state, reason, quality, people_per_day, paused_until, updated_at) on channel_senders to quita_app;',
    );
    this.addSql('grant select, insert, update, delete on channel_senders to quita_worker;');
    this.addSql('grant select (client_id, channel, sender_id, account_id) on channel_senders to quita_functions;');
    this.addSql('grant select, update (state, reason, updated_at) on channel_templates to quita_app;');
    this.addSql('grant select, insert, update, delete on channel_templates to quita_worker;');
    this.addSql('grant select, insert, update on recipients to quita_app;');
    this.addSql('grant select, insert, update, delete on recipients to quita_worker;');
    this.addSql('grant select, insert on attachments to quita_app;');
    this.addSql('grant select, update, delete on attachments to quita_worker;');
    this.addSql('grant select, insert on unmatched_messages to quita_app;');
    this.addSql('grant select, delete on unmatched_messages to quita_worker;');
    this.addSql('grant update (delivery, channel_message_id, failure, is_undo_due) on messages to quita_app;');
  }
}
