import { Migration } from '@mikro-orm/migrations';

/** Calls that a bank limits were counted in each process, so that several processes together made more of them. */
export class Migration20261127225926_bank_calls extends Migration {
  override name = 'Migration20261127225926_bank_calls';

  override up(): void {
    this.addSql(
      `create table "bank_calls" ("scope" text not null, "made_at" timestamptz[] not null, primary key ("scope"));`,
    );
    this.addSql(`alter table "bank_calls" enable row level security;`);
    this.addSql(`alter table "bank_calls" force row level security;`);
    this.addSql(
      `create policy "authentication" on "bank_calls" to "quita_app" using (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on') with check (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on');`,
    );
    this.addSql(`create policy "worker" on "bank_calls" to "quita_worker" using (true) with check (true);`);
    this.addSql(`grant select, insert, update on "bank_calls" to quita_app;`);
    this.addSql(`grant select, insert, update, delete on "bank_calls" to quita_worker;`);
  }
}
