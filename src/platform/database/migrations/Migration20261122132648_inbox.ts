import { Migration } from '@mikro-orm/migrations';

/**
 * What waits for the client's staff stands in a table, so that it is told by e-mail once and listed without a scan of
 * all debts; and a message says whether a machine wrote it and whether it was answered, so that a machine changes
 * nothing and no text is answered twice.
 */
export class Migration20261122132648_inbox extends Migration {
  override name = 'Migration20261122132648_inbox';

  override up(): void {
    this.addSql(
      `create table "inbox_items" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debt_id" uuid not null, "reason" text not null, "since" timestamptz(3) not null default current_timestamp(3), "closed_at" timestamptz(3) null, "snoozed_until" timestamptz(3) null, "told_at" timestamptz(3) null, "digest_id" uuid null, primary key ("id"));`,
    );
    this.addSql(`create index "inbox_items_debt" on "inbox_items" ("debt_id");`);
    this.addSql(`create index "inbox_items_told" on "inbox_items" ("client_id", "told_at");`);
    this.addSql(
      `create unique index "inbox_items_open" on "inbox_items" ("debt_id", "reason") where closed_at is null;`,
    );
    this.addSql(
      `create index "inbox_items_since" on "inbox_items" ("client_id", "since", "id") where closed_at is null;`,
    );
    this.addSql(
      `create index "inbox_items_reason" on "inbox_items" ("client_id", "reason", "since", "id") where closed_at is null;`,
    );
    this.addSql(
      `create index "inbox_items_untold" on "inbox_items" ("client_id", "since") where told_at is null and closed_at is null;`,
    );
    this.addSql(
      `alter table "messages" add "automatic" boolean not null default false, add "answered" boolean not null default false;`,
    );
    this.addSql(
      `alter table "inbox_items" add constraint "inbox_items_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "inbox_items" add constraint "inbox_items_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(
      `alter table "inbox_items" add constraint "inbox_items_reason_known" check (reason in ('disputed', 'hardship', 'negotiate', 'human', 'underpaid', 'duplicate', 'refunded', 'undelivered', 'attachment'));`,
    );
    this.addSql(`alter table "inbox_items" enable row level security;`);
    this.addSql(`alter table "inbox_items" force row level security;`);
    this.addSql(
      `create policy "tenant" on "inbox_items" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "inbox_items" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );

    // Debts that wait already are in the inbox from the beginning. Row security that is forced on the owner as well
    // would hide their rows from these statements.
    const tables = ['debts', 'debt_events', 'messages', 'charges', 'inbox_items'];
    for (const table of tables) this.addSql(`alter table "${table}" no force row level security;`);
    this.addSql(`insert into "inbox_items" ("client_id", "debt_id", "reason", "since")
      select "client_id", "id",
        case "status"
          when 'DISPUTED' then 'disputed'
          when 'UNREACHABLE' then 'undelivered'
          else coalesce(
            (select 'underpaid' from "charges" where "debt_id" = "debts"."id" and "underpaid_at" is not null limit 1),
            (select "intent" from "messages" where "debt_id" = "debts"."id" and "direction" = 'in'
              and "intent" in ('hardship', 'negotiate', 'human') order by "created_at" desc limit 1),
            'human')
        end,
        least(coalesce((select max("at") from "debt_events" where "debt_id" = "debts"."id" and "kind" = 'status_changed'),
          "updated_at"), now())
      from "debts" where "status" in ('DISPUTED', 'UNREACHABLE', 'ON_HOLD');`);
    this.addSql(`insert into "inbox_items" ("client_id", "debt_id", "reason", "since")
      select "client_id", "debt_id", 'duplicate', min("paid_at") from "charges"
      where "duplicate" and "paid_centavos" > "refunded_centavos" and "charged_back_at" is null
      group by "client_id", "debt_id";`);
    this.addSql(`insert into "inbox_items" ("client_id", "debt_id", "reason", "since")
      select "debts"."client_id", "debts"."id", 'refunded', now() from "debts"
      join "charges" on "charges"."debt_id" = "debts"."id" and "charges"."paid_centavos" > 0
      where "debts"."status" = 'PAID'
      group by "debts"."client_id", "debts"."id", "debts"."original_amount_centavos"
      having bool_or(not "duplicate" and ("refunded_centavos" > 0 or "charged_back_at" is not null))
        and sum(case when "charged_back_at" is null then greatest("paid_centavos" - "refunded_centavos", 0) else 0 end)
          < "debts"."original_amount_centavos";`);
    for (const table of tables) this.addSql(`alter table "${table}" force row level security;`);
    this.addSql('grant select, insert, update (closed_at) on inbox_items to quita_app;');
    this.addSql('grant select, insert, update on inbox_items to quita_worker;');
  }
}
