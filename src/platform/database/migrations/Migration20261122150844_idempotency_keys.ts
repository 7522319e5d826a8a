import { Migration } from '@mikro-orm/migrations';

/**
 * The first answer to a call with an `Idempotency-Key` is kept for a day, so that a repetition of the call does not do
 * its work again. The worker purges the rows and reads no answer.
 */
export class Migration20261122150844_idempotency_keys extends Migration {
  override name = 'Migration20261122150844_idempotency_keys';

  override up(): void {
    this.addSql(
      `create table "idempotency_keys" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "route" text not null, "key_hash" text not null, "request_hash" text not null, "attempt" uuid not null, "running_until" timestamptz(3) null, "answer" bytea null, "created_at" timestamptz(3) not null default current_timestamp(3), primary key ("id"));`,
    );
    this.addSql(`create index "idempotency_keys_created_at" on "idempotency_keys" ("created_at");`);
    this.addSql(
      `alter table "idempotency_keys" add constraint "idempotency_keys_key" unique ("client_id", "route", "key_hash");`,
    );
    this.addSql(
      `alter table "idempotency_keys" add constraint "idempotency_keys_running_or_answered" check ((running_until is null) = (answer is not null));`,
    );
    this.addSql(`alter table "idempotency_keys" enable row level security;`);
    this.addSql(`alter table "idempotency_keys" force row level security;`);
    this.addSql(
      `create policy "tenant" on "idempotency_keys" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "idempotency_keys" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `create policy "purge" on "idempotency_keys" for delete to "quita_worker" using (created_at < (current_timestamp - '24:00:00'::interval));`,
    );
    this.addSql('grant select, insert, update on idempotency_keys to quita_app;');
    this.addSql('grant select (id, created_at), delete on idempotency_keys to quita_worker;');
  }
}
