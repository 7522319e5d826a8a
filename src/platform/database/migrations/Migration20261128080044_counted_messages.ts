import { Migration } from '@mikro-orm/migrations';

/**
 * What channels charge for, one narrow row for each message: counters of a month, costs of a campaign and the watch of
 * deliveries are read from it. A report reaches the API and the outcome of a sending the worker, so both write; rows go
 * with their messages. Messages of before are not counted, because nobody stored how they were sent.
 */
export class Migration20261128080044_counted_messages extends Migration {
  override name = 'Migration20261128080044_counted_messages';

  override up(): void {
    this.addSql(
      `create table "counted_messages" ("message_id" uuid not null, "client_id" uuid not null, "campaign_id" uuid not null, "channel" text not null, "sender_id" text not null, "kind" text not null, "units" smallint not null default 1, "is_free" boolean not null default false, "accepted_at" timestamptz(3) not null, "reported_at" timestamptz(3) null, "delivered_at" timestamptz(3) null, primary key ("message_id"));`,
    );
    this.addSql(
      `create index "counted_messages_client" on "counted_messages" ("client_id", "sender_id", "delivered_at", "message_id") include ("kind", "is_free", "units", "channel");`,
    );
    this.addSql(
      `create index "counted_messages_campaign" on "counted_messages" ("campaign_id") include ("sender_id", "delivered_at", "message_id", "kind", "is_free", "units", "channel");`,
    );
    this.addSql(
      `create index "counted_messages_newest" on "counted_messages" ("sender_id", "accepted_at") include ("reported_at") where kind = 'service';`,
    );

    this.addSql(
      `alter table "channel_senders" add "free_warned_for" date null, add "payment_suspected_at" timestamptz(3) null;`,
    );

    this.addSql(
      `alter table "counted_messages" add constraint "counted_messages_message_id_foreign" foreign key ("message_id") references "messages" ("id") on update cascade on delete cascade;`,
    );
    this.addSql(
      `alter table "counted_messages" add constraint "counted_messages_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "counted_messages" add constraint "counted_messages_channel_known" check (channel in ('whatsapp', 'twilio', 'zenvia', 'email'));`,
    );
    this.addSql(
      `alter table "counted_messages" add constraint "counted_messages_kind_known" check (kind in ('service', 'utility', 'marketing', 'authentication', 'sms'));`,
    );
    this.addSql(`alter table "counted_messages" add constraint "counted_messages_has_units" check (units > 0);`);
    this.addSql(`alter table "counted_messages" enable row level security;`);
    this.addSql(`alter table "counted_messages" force row level security;`);
    this.addSql(
      `create policy "tenant" on "counted_messages" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "counted_messages" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `grant select, insert, update (kind, is_free, reported_at, delivered_at) on "counted_messages" to quita_app, quita_worker;`,
    );
  }
}
