import { Migration } from '@mikro-orm/migrations';

const columns = 'campaign_id, status, due_date, client_id';
const added = `select ${columns}, 1 as debts, original_amount_centavos as centavos from added`;
const removed = `select ${columns}, -1, -original_amount_centavos from removed`;
const OPEN = `'IMPORTED', 'QUEUED', 'IN_COLLECTION', 'PROMISED', 'ON_HOLD', 'DISPUTED'`;

/** Adds changes to the counts of one table by one column, in the order in which every transaction writes them. */
const count = (table: string, by: string, changes: string, where: string): string => `
          insert into ${table} as known (campaign_id, ${by}, slot, client_id, debts, amount_centavos)
          select campaign_id, ${by}, own_slot, client_id, sum(debts), sum(centavos)
          from (${changes}) as change (${columns}, debts, centavos) ${where}
          group by campaign_id, ${by}, client_id having sum(debts) <> 0 or sum(centavos) <> 0
          order by campaign_id, ${by}
          on conflict (campaign_id, ${by}, slot) do update
            set debts = known.debts + excluded.debts, amount_centavos = known.amount_centavos + excluded.amount_centavos;`;
const byStatus = (changes: string): string => count('campaign_status_counts', 'status', changes, '');
const byDueDate = (changes: string): string =>
  count('campaign_due_counts', 'due_date', changes, `where status in (${OPEN})`);

/**
 * The staff writes notes, whose texts stand apart from the events because they may name a person. The debts of a draft
 * can be deleted: what describes such a debt goes with it, while a charge or a message forbids the deletion by its
 * foreign key. The inbox lists disputes first. The dashboard sums open debts by due date and counts promises: the
 * triggers that count the debts of a campaign by status now count the open ones by due date too.
 */
export class Migration20261122204913_work_of_the_staff extends Migration {
  override name = 'Migration20261122204913_work_of_the_staff';

  override up(): void {
    this.addSql(
      `create table "campaign_due_counts" ("campaign_id" uuid not null, "due_date" date not null, "slot" smallint not null, "client_id" uuid not null, "debts" int not null, "amount_centavos" bigint not null, primary key ("campaign_id", "due_date", "slot"));`,
    );
    this.addSql(`create index "campaign_due_counts_client" on "campaign_due_counts" ("client_id", "campaign_id");`);

    this.addSql(
      `create table "debt_notes" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debt_id" uuid not null, "text" text not null, "at" timestamptz(3) not null, "created_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(`create index "debt_notes_debt" on "debt_notes" ("debt_id");`);
    this.addSql(`create index "debt_notes_client" on "debt_notes" ("client_id");`);

    this.addSql(`alter table "debt_events" drop constraint "debt_events_debt_id_foreign";`);

    this.addSql(`alter table "debt_phones" drop constraint "debt_phones_debt_id_foreign";`);

    this.addSql(`alter table "inbox_items" drop constraint "inbox_items_debt_id_foreign";`);

    this.addSql(
      `alter table "campaign_days" add "promises_kept" int not null default 0, add "promises_broken" int not null default 0;`,
    );

    this.addSql(`alter table "debt_events" drop constraint "debt_events_kind_known";`);
    this.addSql(
      `alter table "debt_events" add constraint "debt_events_debt_id_foreign" foreign key ("debt_id") references "debts" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "debt_events" add constraint "debt_events_kind_known" check (kind in ('needs_person', 'note', 'verdict', 'charge_created', 'message_sent', 'message_received', 'status_changed', 'debt_changed', 'payment_approved', 'payment_duplicate', 'payment_changed', 'receipt_issued', 'email_sent'));`,
    );

    this.addSql(
      `alter table "debt_phones" add constraint "debt_phones_debt_id_foreign" foreign key ("debt_id") references "debts" ("id") on delete cascade;`,
    );

    this.addSql(`drop index "inbox_items_since";`);
    this.addSql(
      `alter table "inbox_items" add constraint "inbox_items_debt_id_foreign" foreign key ("debt_id") references "debts" ("id") on delete cascade;`,
    );
    this.addSql(
      `create index "inbox_items_order" on "inbox_items" ("client_id", (reason <> 'disputed'), "since", "id") where closed_at is null;`,
    );

    this.addSql(
      `alter table "campaign_due_counts" add constraint "campaign_due_counts_campaign_id_foreign" foreign key ("campaign_id") references "campaigns" ("id");`,
    );
    this.addSql(
      `alter table "campaign_due_counts" add constraint "campaign_due_counts_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(`alter table "campaign_due_counts" enable row level security;`);
    this.addSql(`alter table "campaign_due_counts" force row level security;`);
    this.addSql(
      `create policy "tenant" on "campaign_due_counts" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "campaign_due_counts" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );

    this.addSql(
      `alter table "debt_notes" add constraint "debt_notes_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "debt_notes" add constraint "debt_notes_debt_id_foreign" foreign key ("debt_id") references "debts" ("id") on delete cascade;`,
    );
    this.addSql(`alter table "debt_notes" enable row level security;`);
    this.addSql(`alter table "debt_notes" force row level security;`);
    this.addSql(
      `create policy "tenant" on "debt_notes" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "debt_notes" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );

    // Promises that ended before this version are counted on the days of their events, and those of sandbox clocks that
    // run ahead of the real one today. Row security that is forced on the owner as well would hide the rows.
    const tables = ['debts', 'debt_events', 'campaign_days', 'campaign_due_counts'];
    for (const table of tables) this.addSql(`alter table "${table}" no force row level security;`);
    this.addSql(`insert into "campaign_days" as known ("campaign_id", "day", "slot", "client_id", "promises_kept", "promises_broken")
      select "debts"."campaign_id", (least("debt_events"."at", now()) at time zone 'America/Sao_Paulo')::date, 0::smallint, "debts"."client_id",
        count(*) filter (where data ->> 'to' = 'PAID'), count(*) filter (where data ->> 'to' <> 'PAID')
      from "debt_events" join "debts" on "debts"."id" = "debt_events"."debt_id"
      where "kind" = 'status_changed' and data ->> 'from' = 'PROMISED'
        and data ->> 'to' in ('PAID', 'IN_COLLECTION', 'EXHAUSTED', 'UNREACHABLE')
      group by 1, 2, 4
      on conflict ("campaign_id", "day", "slot") do update
        set "promises_kept" = excluded."promises_kept", "promises_broken" = excluded."promises_broken";`);
    this.addSql(`insert into "campaign_due_counts" ("campaign_id", "due_date", "slot", "client_id", "debts", "amount_centavos")
      select "campaign_id", "due_date", 0, "client_id", count(*), sum("original_amount_centavos") from "debts"
      where "status" in (${OPEN}) group by 1, 2, 4;`);
    for (const table of tables) this.addSql(`alter table "${table}" force row level security;`);
    // These rows are updated often, so each page keeps free space for their next versions.
    this.addSql(`alter table "campaign_due_counts" set (fillfactor = 50);`);
    this.addSql(`
      create or replace function count_debts_by_status() returns trigger language plpgsql as $$
      declare
        own_slot int := pg_backend_pid() % 16;
      begin
        for attempt in 1..16 loop
          exit when pg_try_advisory_xact_lock(hashtext('debts:' || current_setting('app.client_id', true)), own_slot);
          own_slot := (own_slot + 1) % 16;
        end loop;
        if tg_op = 'INSERT' then
          ${byStatus(added)}
          ${byDueDate(added)}
        elsif tg_op = 'UPDATE' then
          ${byStatus(`${added} union all ${removed}`)}
          ${byDueDate(`${added} union all ${removed}`)}
        else
          ${byStatus(removed)}
          ${byDueDate(removed)}
        end if;
        return null;
      end $$;`);

    this.addSql('grant select, insert, update on campaign_due_counts to quita_app, quita_worker;');
    this.addSql('grant select, insert on debt_notes to quita_app;');
    this.addSql('grant select (debt_id), update (text) on debt_notes to quita_worker;');
    this.addSql('grant update (snoozed_until) on inbox_items to quita_app;');
    this.addSql('grant delete on debts to quita_app;');
  }
}
