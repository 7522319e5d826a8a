import { Migration } from '@mikro-orm/migrations';

/**
 * A person asks on a page of their own for what the law gives: the requests with their terms and answers, the files that
 * came with them, and when and by which channel the person wants to be written to.
 */
export class Migration20261127231012_rights extends Migration {
  override name = 'Migration20261127231012_rights';

  override up(): void {
    this.addSql(
      `create table "rights_requests" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debt_id" uuid not null, "kind" text not null, "protocol" text not null, "text" text not null, "created_at" timestamptz(3) not null default quita_now(), "due_at" timestamptz(3) null, "answered_at" timestamptz(3) null, "outcome" text null, "answer" text null, "changed" text[] not null default '{}', "answered_by" uuid null, "confirmed_at" timestamptz(3) null, "told_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "rights_requests_debt" on "rights_requests" ("debt_id", "created_at");`);
    this.addSql(`create index "rights_requests_client" on "rights_requests" ("client_id", "created_at", "id");`);
    this.addSql(
      `create index "rights_requests_unconfirmed" on "rights_requests" ("created_at") where confirmed_at is null;`,
    );
    this.addSql(
      `create index "rights_requests_untold" on "rights_requests" ("answered_at") where told_at is null and answered_at is not null;`,
    );
    this.addSql(`alter table "rights_requests" add constraint "rights_requests_protocol" unique ("protocol");`);

    this.addSql(
      `create table "rights_files" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debt_id" uuid not null, "request_id" uuid not null, "content_type" text not null, "bytes" int not null, "sealed" text not null, "created_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(`create index "rights_files_debt" on "rights_files" ("debt_id");`);
    this.addSql(`create index "rights_files_client" on "rights_files" ("client_id");`);
    this.addSql(`create index "rights_files_created" on "rights_files" ("created_at");`);
    this.addSql(`alter table "rights_files" add constraint "rights_files_request" unique ("request_id");`);

    this.addSql(`alter table "inbox_items" drop constraint "inbox_items_reason_known";`);
    this.addSql(
      `alter table "inbox_items" add constraint "inbox_items_reason_known" check (reason in ('disputed', 'hardship', 'negotiate', 'human', 'underpaid', 'duplicate', 'overpaid', 'refunded', 'undelivered', 'attachment', 'settings', 'said_paid', 'question', 'agreement', 'rights'));`,
    );

    this.addSql(`alter table "person_requests" add "preference" jsonb null;`);

    this.addSql(
      `alter table "rights_requests" add constraint "rights_requests_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "rights_requests" add constraint "rights_requests_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(
      `alter table "rights_requests" add constraint "rights_requests_kind_known" check (kind in ('correction', 'dispute', 'score_review', 'preference', 'silence', 'not_mine'));`,
    );
    this.addSql(
      `alter table "rights_requests" add constraint "rights_requests_outcome_known" check (outcome in ('granted', 'refused'));`,
    );
    this.addSql(
      `alter table "rights_requests" add constraint "rights_requests_answered" check ((answered_at is null) = (outcome is null));`,
    );
    this.addSql(`alter table "rights_requests" enable row level security;`);
    this.addSql(`alter table "rights_requests" force row level security;`);
    this.addSql(
      `create policy "tenant" on "rights_requests" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "rights_requests" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );

    this.addSql(
      `alter table "rights_files" add constraint "rights_files_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "rights_files" add constraint "rights_files_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(
      `alter table "rights_files" add constraint "rights_files_request_id_foreign" foreign key ("request_id") references "rights_requests" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "rights_files" add constraint "rights_files_type_known" check (content_type in ('application/pdf', 'image/jpeg', 'image/png'));`,
    );
    this.addSql(`alter table "rights_files" enable row level security;`);
    this.addSql(`alter table "rights_files" force row level security;`);
    this.addSql(
      `create policy "tenant" on "rights_files" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "rights_files" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `create policy "purge" on "rights_files" for delete to "quita_worker" using (created_at < (current_timestamp - '180 days'::interval));`,
    );

    this.addSql(
      `grant select, insert, update (answered_at, outcome, answer, changed, answered_by) on "rights_requests" to quita_app;`,
    );
    // A worker sends the mails, and empties or deletes what is erased or has been kept for its time.
    this.addSql(`grant select, update, delete on "rights_requests" to quita_worker;`);
    this.addSql(`grant select, insert on "rights_files" to quita_app;`);
    // Whoever says that an address reached a stranger ends it at once.
    this.addSql(`grant update (closed_at) on "debtor_pages" to quita_app;`);
    this.addSql(`grant delete, select (id, client_id, debt_id, created_at) on "rights_files" to quita_worker;`);
  }
}
