import { Migration } from '@mikro-orm/migrations';

const added = 'select campaign_id, status, client_id, 1 as debts, original_amount_centavos as centavos from added';
const removed = 'select campaign_id, status, client_id, -1, -original_amount_centavos from removed';

const count = (changes: string): string => `
          insert into campaign_status_counts as known (campaign_id, status, slot, client_id, debts, amount_centavos)
          select campaign_id, status, own_slot, client_id, sum(debts), sum(centavos)
          from (${changes}) as change (campaign_id, status, client_id, debts, centavos)
          group by campaign_id, status, client_id having sum(debts) <> 0 or sum(centavos) <> 0
          order by campaign_id, status
          on conflict (campaign_id, status, slot) do update
            set debts = known.debts + excluded.debts, amount_centavos = known.amount_centavos + excluded.amount_centavos;`;

/**
 * Statistics and the dashboard counted the debts of a campaign at each call: 200,000 debts took 40 to 200 ms, and more
 * the longer ago the last vacuum was. Now triggers add the changes of each statement that writes debts to a few rows,
 * and statistics sum these rows.
 *
 * A transaction locks its slot until it ends and writes the statuses in one order. As long as there is a free slot, two
 * transactions never wait for each other's rows here, so they cannot deadlock.
 */
export class Migration20261121010104_campaign_status_counts extends Migration {
  override name = 'Migration20261121010104_campaign_status_counts';

  override up(): void {
    this.addSql(
      `create table "campaign_status_counts" ("campaign_id" uuid not null, "status" text not null, "slot" smallint not null, "client_id" uuid not null, "debts" int not null, "amount_centavos" bigint not null, primary key ("campaign_id", "status", "slot"));`,
    );
    this.addSql(
      `create index "campaign_status_counts_client" on "campaign_status_counts" ("client_id", "campaign_id");`,
    );

    this.addSql(`
      create function count_debts_by_status() returns trigger language plpgsql as $$
      declare
        own_slot int := pg_backend_pid() % 16;
      begin
        for attempt in 1..16 loop
          exit when pg_try_advisory_xact_lock(hashtext('debts:' || current_setting('app.client_id', true)), own_slot);
          own_slot := (own_slot + 1) % 16;
        end loop;
        if tg_op = 'INSERT' then
          ${count(added)}
        elsif tg_op = 'UPDATE' then
          ${count(`${added} union all ${removed}`)}
        else
          ${count(removed)}
        end if;
        return null;
      end $$;`);
    this.addSql(
      `create trigger "debts_counted_on_insert" after insert on "debts" referencing new table as added for each statement execute function count_debts_by_status();`,
    );
    this.addSql(
      `create trigger "debts_counted_on_update" after update on "debts" referencing old table as removed new table as added for each statement execute function count_debts_by_status();`,
    );
    this.addSql(
      `create trigger "debts_counted_on_delete" after delete on "debts" referencing old table as removed for each statement execute function count_debts_by_status();`,
    );

    this.addSql(
      `alter table "campaign_status_counts" add constraint "campaign_status_counts_campaign_id_foreign" foreign key ("campaign_id") references "campaigns" ("id");`,
    );
    this.addSql(
      `alter table "campaign_status_counts" add constraint "campaign_status_counts_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "campaign_status_counts" enable row level security;`);
    this.addSql(`alter table "campaign_status_counts" force row level security;`);
    this.addSql(
      `create policy "tenant" on "campaign_status_counts" to "quita_app", "quita_worker" using (client_id = nullif(current_setting('app.client_id', true), '')::uuid) with check (client_id = nullif(current_setting('app.client_id', true), '')::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "campaign_status_counts" for select to "quita_worker" using (nullif(current_setting('app.client_id', true), '')::uuid is null);`,
    );

    // Nothing reads the amount and the id from this index any more, and without them imports write less.
    this.addSql(`drop index "debts_campaign_status_position";`);
    this.addSql(
      `create index "debts_campaign_status_position" on "debts" ("client_id", "campaign_id", "status", "position");`,
    );
    // These rows are updated often, so each page keeps free space for their next versions.
    this.addSql(`alter table "campaign_status_counts" set (fillfactor = 50);`);
  }
}
