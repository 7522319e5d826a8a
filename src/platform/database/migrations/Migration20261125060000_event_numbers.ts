import { Migration } from '@mikro-orm/migrations';

/**
 * `data.sequence` was the number of the event among those of all clients, which told a client how active the others are.
 * It is now the number among the events of its debt or campaign. Debts and campaigns that are there go on behind every
 * number that was told so far, and behind those that processes of the version before give meanwhile.
 */
export class Migration20261125060000_event_numbers extends Migration {
  override name = 'Migration20261125060000_event_numbers';

  override up(): void {
    this.addSql('alter table "events" add "number" bigint null;');
    for (const [table, first] of [
      ['debts', 1],
      ['campaigns', 0],
    ] as const) {
      this.addSql(`do $$ begin
        execute format('alter table "${table}" add "event_count" bigint not null default %s',
          (select last_value + 1000000 from events_seq_seq));
      end $$;`);
      this.addSql(`alter table "${table}" alter "event_count" set default '${first}';`);
    }
    // `src/platform/database/routines/events.sql` replaces it right after the migrations; the triggers need its name.
    this.addSql('grant create on schema public to quita_functions;');
    this.addSql('set local role quita_functions;');
    this.addSql('create function count_event() returns trigger language plpgsql as $$ begin return new; end $$;');
    this.addSql('reset role;');
    this.addSql('revoke create on schema public from quita_functions;');
    for (const table of ['debts', 'campaigns']) {
      this.addSql(
        `create trigger "${table}_event_counted" before update of status on "${table}" for each row when (old.status is distinct from new.status) execute function count_event();`,
      );
    }
    this.addSql('drop trigger "debts_counted_on_update" on "debts";');
    this.addSql(
      `create trigger "debts_counted_on_update" after update on "debts" referencing old table as removed new table as added for each statement when (pg_trigger_depth() = 0) execute function count_debts_by_status();`,
    );
    this.addSql(
      `create policy "functions_update" on "debts" for update to "quita_functions" using (true) with check (true);`,
    );
    this.addSql('grant select (event_count), update (event_count) on debts to quita_functions;');
    this.addSql('grant insert (number) on events to quita_functions;');
  }
}
