import { Migration } from '@mikro-orm/migrations';

/**
 * Whom the API asks for the phone, it stores with what that person wrote; the worker sends it, and delivery reports and
 * the card come to the API. What a request is charged for is counted beside messages, and longer than the request is
 * kept, so a counted row refers to either of them and the purge deletes it with its message.
 */
export class Migration20261128121153_phone_requests extends Migration {
  override name = 'Migration20261128121153_phone_requests';

  override up(): void {
    this.addSql(
      `create table "phone_requests" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "channel" text not null, "sender_id" text not null, "person_key" text not null, "sealed" text not null, "ask_until" timestamptz(3) not null, "turn_at" timestamptz(3) null, "attempted_at" timestamptz(3) null, "delivery" text not null default 'booked', "channel_message_id" text null, "failure" text null, "card_message_id" text null, "created_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(`create index "phone_requests_created" on "phone_requests" ("created_at");`);
    this.addSql(
      `alter table "phone_requests" add constraint "phone_requests_once" unique ("client_id", "channel", "person_key");`,
    );

    this.addSql(`alter table "unmatched_messages" add "person_key" text null;`);
    this.addSql(
      `create index "unmatched_messages_person" on "unmatched_messages" ("person_key", "client_id") where person_key is not null;`,
    );

    this.addSql(`alter table "counted_messages" drop constraint "counted_messages_message_id_foreign";`);

    this.addSql(`alter table "counted_messages" alter column "campaign_id" drop not null;`);

    this.addSql(
      `alter table "phone_requests" add constraint "phone_requests_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "phone_requests" add constraint "phone_requests_delivery_known" check (delivery in ('waiting', 'booked', 'sent', 'delivered', 'read', 'failed', 'unknown'));`,
    );
    this.addSql(`alter table "phone_requests" enable row level security;`);
    this.addSql(`alter table "phone_requests" force row level security;`);
    this.addSql(
      `create policy "tenant" on "phone_requests" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "phone_requests" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `create policy "purge" on "phone_requests" for delete to "quita_worker" using (created_at < (current_timestamp - '30 days'::interval));`,
    );
    this.addSql(
      `grant select, insert, update (delivery, channel_message_id, failure, card_message_id) on "phone_requests" to quita_app;`,
    );
    this.addSql(
      `grant select, delete, update (turn_at, attempted_at, delivery, channel_message_id, failure) on "phone_requests" to quita_worker;`,
    );
    this.addSql(`grant delete on "counted_messages" to quita_worker;`);
  }
}
