import { Migration } from '@mikro-orm/migrations';

/**
 * The hashes of what was sent, by which "É verdade?" recognises a text. The routine `origin_of_content` alone reads them
 * over all clients. Messages of before get their hashes from a worker, because the key is not in the database.
 */
export class Migration20261127231514_sent_texts extends Migration {
  override name = 'Migration20261127231514_sent_texts';

  override up(): void {
    this.addSql(
      `create table "sent_texts" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "sandbox" boolean not null, "hash" bytea not null, "created_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(`create index "sent_texts_hash" on "sent_texts" ("hash");`);
    this.addSql(`create index "sent_texts_client" on "sent_texts" ("client_id");`);
    this.addSql(`create index "sent_texts_created" on "sent_texts" ("created_at");`);

    this.addSql(
      `create index "channel_senders_shown" on "channel_senders" ((case when strpos("shown_as", '@') > 0 then lower("shown_as") else regexp_replace("shown_as", '[^0-9]', '', 'g') end)) where replaced_at is null;`,
    );

    this.addSql(`alter table "messages" add "hash_kept" boolean not null default false;`);
    this.addSql(
      `create index "messages_hash_due" on "messages" ("created_at") where direction = 'out' and not hash_kept;`,
    );

    this.addSql(`create index "charges_code" on "charges" (md5("br_code")) where br_code is not null;`);

    this.addSql(
      `alter table "sent_texts" add constraint "sent_texts_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "sent_texts" enable row level security;`);
    this.addSql(`alter table "sent_texts" force row level security;`);
    this.addSql(
      `create policy "tenant" on "sent_texts" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "sent_texts" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(`create policy "functions_select" on "sent_texts" for select to "quita_functions" using (true);`);
    this.addSql(
      `create policy "purge" on "sent_texts" for delete to "quita_worker" using (created_at < (current_timestamp - '180 days'::interval));`,
    );

    this.addSql(`grant insert, delete, select (id, created_at) on "sent_texts" to quita_worker;`);
    this.addSql(`grant select (client_id, sandbox, hash, created_at) on "sent_texts" to quita_functions;`);
    this.addSql(`grant select (verified_name, verified_cnpj) on "clients" to quita_functions;`);
    this.addSql(`grant select (shown_as) on "channel_senders" to quita_functions;`);
    this.addSql(`grant select (client_id, debt_id) on "receipts" to quita_functions;`);
    this.addSql(`grant select (sandbox, protocol) on "agreements" to quita_functions;`);
  }
}
