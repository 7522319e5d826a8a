import { Migration } from '@mikro-orm/migrations';

/**
 * A case of the inbox may belong to a member, and shows who has it open. Items that are open now belong to nobody.
 */
export class Migration20261127231635_inbox_work extends Migration {
  override name = 'Migration20261127231635_inbox_work';

  override up(): void {
    this.addSql(
      `create table "case_viewers" ("member_id" uuid not null default (quita_scope('app.member'::text))::uuid, "client_id" uuid not null, "debt_id" uuid not null, "until" timestamptz(3) not null, primary key ("member_id"));`,
    );
    this.addSql(`create index "case_viewers_client" on "case_viewers" ("client_id");`);
    this.addSql(`create index "case_viewers_debt" on "case_viewers" ("debt_id");`);

    this.addSql(`alter table "inbox_items" add "assignee_id" uuid null;`);
    this.addSql(
      `create index "inbox_items_assignee" on "inbox_items" ("client_id", "assignee_id") where closed_at is null and assignee_id is not null;`,
    );

    this.addSql(
      `alter table "case_viewers" add constraint "case_viewers_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "case_viewers" enable row level security;`);
    this.addSql(`alter table "case_viewers" force row level security;`);
    this.addSql(
      `create policy "tenant" on "case_viewers" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "case_viewers" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );

    this.addSql(`grant update (assignee_id) on "inbox_items" to quita_app;`);
    this.addSql(`grant select, insert, update on "case_viewers" to quita_app;`);
  }
}
