import { Migration } from '@mikro-orm/migrations';

/**
 * Each entry of a timeline becomes a line of its debt's chain, and each later change of a delivery too: triggers write
 * them, so that no statement can forget one. Functions read the words that belong to an entry where they are stored.
 * Entries from before are adopted when the next one is written, or when the evidence of their debt is packed.
 */
export class Migration20261127230214_evidence extends Migration {
  override name = 'Migration20261127230214_evidence';

  override up(): void {
    this.addSql(
      `create table "evidence_lines" ("debt_id" uuid not null, "seq" int not null, "client_id" uuid not null, "at" timestamptz(3) not null, "kind" text not null, "content_hash" bytea not null, "hash" bytea not null, "salt" bytea null, "content" text null, "erased_at" timestamptz(3) null, "erased_for" text null, primary key ("debt_id", "seq"));`,
    );
    this.addSql(`create index "evidence_lines_client" on "evidence_lines" ("client_id");`);
    this.addSql(
      `alter table "evidence_lines" add constraint "evidence_lines_debt_id_foreign" foreign key ("debt_id") references "debts" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "evidence_lines" add constraint "evidence_lines_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "evidence_lines" add constraint "evidence_lines_duty_known" check (erased_for in ('erasure', 'retention'));`,
    );
    this.addSql(
      `alter table "evidence_lines" add constraint "evidence_lines_whole_or_erased" check ((content is null) = (salt is null) and (content is null) = (erased_at is not null) and (content is null) = (erased_for is not null));`,
    );
    this.addSql(`alter table "evidence_lines" enable row level security;`);
    this.addSql(`alter table "evidence_lines" force row level security;`);
    this.addSql(
      `create policy "tenant" on "evidence_lines" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "evidence_lines" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(`create policy "functions_select" on "evidence_lines" for select to "quita_functions" using (true);`);
    this.addSql(
      `create policy "functions_insert" on "evidence_lines" for insert to "quita_functions" with check (true);`,
    );
    this.addSql(`grant select on "evidence_lines" to quita_app;`);
    // An erasure takes contents away. Nobody changes a hash or deletes a line.
    this.addSql(
      `grant select (client_id, debt_id, seq, kind, content), update (salt, content, erased_at, erased_for) on "evidence_lines" to quita_worker;`,
    );
    this.addSql(
      `grant select (debt_id, seq, at, kind, hash, content), insert (client_id, debt_id, seq, at, kind, content_hash, hash, salt, content) on "evidence_lines" to quita_functions;`,
    );

    this.addSql(`create policy "functions_select" on "debt_events" for select to "quita_functions" using (true);`);
    this.addSql(`create policy "functions_select" on "debt_notes" for select to "quita_functions" using (true);`);
    this.addSql(`grant select (debt_id, seq, at, kind, data, member_id) on "debt_events" to quita_functions;`);
    this.addSql(`grant select (id, text) on "debt_notes" to quita_functions;`);
    this.addSql(`grant select (text, staff, cut_from, member_id) on "messages" to quita_functions;`);
    this.addSql(`grant select (note) on "charges" to quita_functions;`);
    this.addSql(`grant select (created_at, scored_at, score) on "debts" to quita_functions;`);
    this.addSql(`grant select (launched_at) on "campaigns" to quita_functions;`);

    // The routines replace these right after the migrations; the triggers need their names.
    this.addSql('grant create on schema public to quita_functions;');
    this.addSql('set local role quita_functions;');
    for (const call of ['chain_timeline', 'chain_delivery']) {
      this.addSql(`create function ${call}() returns trigger language plpgsql as $$ begin return null; end $$;`);
    }
    this.addSql('reset role;');
    this.addSql('revoke create on schema public from quita_functions;');
    this.addSql(
      `create trigger "debt_events_chained" after insert on "debt_events" referencing new table as added for each statement execute function chain_timeline();`,
    );
    this.addSql(
      `create trigger "messages_delivery_chained" after update on "messages" for each row when (new.delivery is distinct from old.delivery and old.delivery not in ('waiting', 'booked')) execute function chain_delivery();`,
    );
  }
}
