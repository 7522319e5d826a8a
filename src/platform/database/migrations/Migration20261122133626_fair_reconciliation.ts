import { Migration } from '@mikro-orm/migrations';

/**
 * The reconciliation takes due charges of all clients in turns, by the routine `take_due_charges`, and pauses accounts
 * and charges that do not answer.
 */
export class Migration20261122133626_fair_reconciliation extends Migration {
  override name = 'Migration20261122133626_fair_reconciliation';

  override up(): void {
    this.addSql(
      `alter table "client_credentials" add "ask_from" timestamptz(3) null, add "ask_failures" int not null default 0;`,
    );
    this.addSql(
      `create policy "functions_select" on "client_credentials" for select to "quita_functions" using (true);`,
    );

    this.addSql(`alter table "charges" add "ask_failures" int not null default 0;`);
    this.addSql(`drop index "charges_ask";`);
    this.addSql(
      `create index "charges_due" on "charges" ("client_id", coalesce("account_id", ''), "ask_at") where ask_at is not null;`,
    );
    this.addSql(
      `create policy "functions_update" on "charges" for update to "quita_functions" using (true) with check (true);`,
    );
    this.addSql(
      'grant select (provider, account_id, ask_at, ask_failures, created_at, superseded_at), update (ask_at) on charges to quita_functions;',
    );
    this.addSql(
      'grant select (client_id, purpose, account_id, ask_from, ask_failures) on client_credentials to quita_functions;',
    );
  }
}
