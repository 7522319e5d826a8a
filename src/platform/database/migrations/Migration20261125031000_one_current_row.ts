import { Migration } from '@mikro-orm/migrations';

/** What the owner of the tables reads or writes here, although row security is forced on the owner as well. */
const TABLES = ['debts', 'charges', 'inbox_items', 'campaign_status_counts', 'campaign_due_counts'];

const columns = 'campaign_id, status, due_date, client_id';
const added = `select ${columns}, 1 as debts, original_amount_centavos as centavos from added where continued_by is null`;
const removed = `select ${columns}, -1, -original_amount_centavos from removed where continued_by is null`;
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
 * A debt that was imported again after its end had several rows, and each of them could be shown, paid, held and asked
 * for. From now on one row of a debt is the current one. A corrected debt keeps what was imported, so that an unchanged
 * file is recognised.
 */
export class Migration20261125031000_one_current_row extends Migration {
  override name = 'Migration20261125031000_one_current_row';

  override up(): void {
    this.addSql(
      `alter table "debts" add "continued_by" uuid null, add "imported_amount_centavos" bigint null, add "imported_due_date" date null, add "restarted_at" timestamptz(3) null, add "end_corrected_at" timestamptz(3) null;`,
    );
    this.addSql(`alter table "inbox_items" drop constraint "inbox_items_reason_known";`);
    this.addSql(
      `alter table "inbox_items" add constraint "inbox_items_reason_known" check (reason in ('disputed', 'hardship', 'negotiate', 'human', 'underpaid', 'duplicate', 'overpaid', 'refunded', 'undelivered', 'attachment', 'settings', 'said_paid', 'question'));`,
    );
    for (const table of TABLES) this.addSql(`alter table "${table}" no force row level security;`);
    // Nothing has happened to these debts, so no event tells of it.
    this.addSql(`alter table "debts" disable trigger "debts_told_on_update";`);
    this.countCurrentRows();
    this.separateWorlds();
    this.chooseCurrentRows();
    this.endOtherRows();
    this.moveInboxItems();
    this.askAboutTooMuchMoney();
    this.addSql(`alter table "debts" enable trigger "debts_told_on_update";`);
    for (const table of TABLES) this.addSql(`alter table "${table}" force row level security;`);
    this.addSql(`create unique index "debts_current" on "debts" ("identity_id") where continued_by is null;`);
    this.addSql(
      `create index "debts_imported_as" on "debts" ("debtor_cpf", "client_id", "imported_amount_centavos", "imported_due_date") where imported_amount_centavos is not null;`,
    );
    this.addSql(
      `alter table "debts" add constraint "debts_continued_ended" check (continued_by is null or status in ('EXHAUSTED', 'UNREACHABLE', 'STOPPED', 'PAID'));`,
    );
    this.addSql(
      `alter table "debts" add constraint "debts_imported_whole" check ((imported_amount_centavos is null) = (imported_due_date is null));`,
    );
    this.addSql('grant select (identity_id, continued_by) on debts to quita_functions;');
    this.addSql('grant update (debt_id) on inbox_items to quita_app;');
  }

  /** A debt that has several rows counts once, in the campaign of its current row. */
  private countCurrentRows(): void {
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
  }

  /** A draft was linked with real debts at its import, also when its launch then made it one of the sandbox. */
  private separateWorlds(): void {
    this.addSql(`with "mixed" as (
        select "identity_id", gen_random_uuid() as "own" from "debts"
        group by "identity_id" having bool_or("sandbox") and not bool_and("sandbox"))
      update "debts" set "identity_id" = "mixed"."own" from "mixed"
      where "debts"."identity_id" = "mixed"."identity_id" and "debts"."sandbox";`);
  }

  private chooseCurrentRows(): void {
    this.addSql(`with "ordered" as (
        select "id", lead("id") over (partition by "identity_id" order by "created_at", "id") as "next" from "debts")
      update "debts" set "continued_by" = "ordered"."next" from "ordered"
      where "ordered"."id" = "debts"."id" and "ordered"."next" is not null;`);
  }

  /** The current row takes over what was said about an earlier one; the earlier one ends. */
  private endOtherRows(): void {
    const takesOver: readonly (readonly [string, string])[] = [
      ['OPTED_OUT', `'IMPORTED', 'QUEUED', 'IN_COLLECTION', 'PROMISED', 'ON_HOLD', 'EXHAUSTED', 'UNREACHABLE'`],
      ['DISPUTED', `'IMPORTED', 'QUEUED', 'IN_COLLECTION', 'PROMISED', 'ON_HOLD', 'EXHAUSTED', 'UNREACHABLE'`],
      ['ON_HOLD', `'IMPORTED', 'QUEUED', 'IN_COLLECTION', 'PROMISED'`],
    ];
    for (const [status, statuses] of takesOver) {
      this.addSql(`update "debts" set "status" = '${status}', "next_contact_at" = null, "paused_at" = null
        where "continued_by" is null and "status" in (${statuses}) and exists (select from "debts" as "earlier"
          where "earlier"."identity_id" = "debts"."identity_id" and "earlier"."continued_by" is not null
          and "earlier"."status" = '${status}');`);
    }
    this.addSql(`update "debts" set "status" = 'EXHAUSTED', "next_contact_at" = null, "paused_at" = null
      where "continued_by" is not null and "status" not in ('EXHAUSTED', 'UNREACHABLE', 'STOPPED', 'PAID');`);
  }

  private moveInboxItems(): void {
    this.addSql(`update "inbox_items" set "closed_at" = now() from "debts"
      where "debts"."id" = "inbox_items"."debt_id" and "debts"."continued_by" is not null
        and "inbox_items"."closed_at" is null and "inbox_items"."reason" = 'undelivered';`);
    this.addSql(`with "ranked" as (
        select "inbox_items"."id", "current"."id" as "current_id", row_number() over (
          partition by "current"."id", "reason" order by "debts"."continued_by" nulls first, "since", "inbox_items"."id") as "rank"
        from "inbox_items" join "debts" on "debts"."id" = "inbox_items"."debt_id"
        join "debts" as "current" on "current"."identity_id" = "debts"."identity_id" and "current"."continued_by" is null
        where "inbox_items"."closed_at" is null)
      update "inbox_items" set "debt_id" = case "rank" when 1 then "current_id" else "debt_id" end,
        "closed_at" = case "rank" when 1 then null else now() end
      from "ranked" where "ranked"."id" = "inbox_items"."id" and ("rank" > 1 or "debt_id" <> "current_id");`);
  }

  /** Until now, the inbox told only of a second payment of the same row. */
  private askAboutTooMuchMoney(): void {
    this.addSql(`with "kept" as (
        select "current"."id", "current"."client_id", "current"."original_amount_centavos" as "amount",
          sum(greatest("paid_centavos" - "refunded_centavos", 0)) as "all",
          sum(greatest("paid_centavos" - "refunded_centavos", 0)) filter (where "duplicate") as "second"
        from "debts" as "current" join "debts" on "debts"."identity_id" = "current"."identity_id"
        join "charges" on "charges"."debt_id" = "debts"."id" and "charged_back_at" is null and "paid_centavos" > 0
        where "current"."continued_by" is null and "current"."status" = 'PAID'
        group by "current"."id")
      insert into "inbox_items" ("client_id", "debt_id", "reason")
      select "client_id", "id", 'duplicate' from "kept" where coalesce("second", 0) > 0 and "all" > "amount"
      union all
      select "client_id", "id", 'overpaid' from "kept" where "all" - coalesce("second", 0) > "amount"
      on conflict ("debt_id", "reason") where closed_at is null do nothing;`);
  }
}
