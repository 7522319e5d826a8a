import { Migration } from '@mikro-orm/migrations';

/** A client keeps texts that its staff put into their answers. */
export class Migration20261127235554_saved_answers extends Migration {
  override name = 'Migration20261127235554_saved_answers';

  override up(): void {
    this.addSql(
      `create table "saved_answers" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "name" text not null, "text" text not null, "created_at" timestamptz(3) not null default quita_now(), "updated_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(`create index "saved_answers_client" on "saved_answers" ("client_id", "name", "id");`);

    this.addSql(
      `alter table "saved_answers" add constraint "saved_answers_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "saved_answers" enable row level security;`);
    this.addSql(`alter table "saved_answers" force row level security;`);
    this.addSql(
      `create policy "tenant" on "saved_answers" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "saved_answers" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );

    this.addSql(`grant select, insert, update, delete on "saved_answers" to quita_app;`);
    // A worker deletes all of a client that is deleted; it reads no text.
    this.addSql(`grant delete, select (client_id) on "saved_answers" to quita_worker;`);
  }
}
