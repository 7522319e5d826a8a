import { Migration } from '@mikro-orm/migrations';

/**
 * What a person asks of a client holds for all debts of the person, also for those of a campaign that is launched later,
 * so it is kept once for the person instead of on the debts that happened to be open. The values of the debts are
 * adopted. A claim of payment that is older than a week has been collected over already, so only later ones are kept.
 * An item of the inbox that staff have answered waits for the person until a moment.
 */
export class Migration20261125025308_person_requests extends Migration {
  override name = 'Migration20261125025308_person_requests';

  override up(): void {
    this.addSql(
      `create table "person_requests" ("client_id" uuid not null, "debtor_cpf" text not null, "sandbox" boolean not null, "promised_for" date null, "said_paid_at" timestamptz(3) null, "staff_answers_until" timestamptz(3) null, "requests" text[] not null default '{}', "created_at" timestamptz(3) not null default quita_now(), "updated_at" timestamptz(3) not null default quita_now(), primary key ("client_id", "debtor_cpf", "sandbox"));`,
    );
    // While the table is empty: later, forced row security would hide the clients from the check of all its rows.
    this.addSql(
      `alter table "person_requests" add constraint "person_requests_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    // Row security that is forced on the owner as well would hide every row from this statement.
    this.addSql('alter table "debts" no force row level security;');
    this.addSql('alter table "inbox_items" no force row level security;');
    this.addSql(`insert into person_requests (client_id, debtor_cpf, sandbox, promised_for, said_paid_at, staff_answers_until, requests)
      select client_id, debtor_cpf, sandbox, promised_for, said_paid_at, staff_answers_until, requests from (
        select client_id, debtor_cpf, sandbox, max(promised_for) filter (where status <> 'PAID') as promised_for,
          max(said_paid_at) filter (where status not in ('PAID', 'STOPPED')
            and said_paid_at > quita_now() + clock_offset_ms * interval '1 millisecond' - interval '7 days') as said_paid_at,
          max(staff_answers_until) as staff_answers_until,
          coalesce(array_agg(distinct asked.reason) filter (where asked.reason is not null), '{}') as requests
        from debts
        left join lateral (
          select reason from inbox_items where inbox_items.debt_id = debts.id and closed_at is null
            and debts.status in ('ON_HOLD', 'DISPUTED') and reason in ('hardship', 'negotiate', 'human')
        ) asked on true
        where debtor_cpf <> '' group by client_id, debtor_cpf, sandbox
      ) person
      where promised_for is not null or said_paid_at is not null or staff_answers_until is not null or requests <> '{}';`);
    this.addSql('alter table "inbox_items" force row level security;');
    this.addSql('alter table "debts" force row level security;');

    this.addSql(
      `alter table "debts" drop column "promised_for", drop column "said_paid_at", drop column "staff_answers_until";`,
    );

    this.addSql(`alter table "inbox_items" drop constraint "inbox_items_reason_known";`);
    this.addSql(`alter table "inbox_items" add "waiting_until" timestamptz(3) null;`);
    this.addSql(
      `alter table "inbox_items" add constraint "inbox_items_reason_known" check (reason in ('disputed', 'hardship', 'negotiate', 'human', 'underpaid', 'duplicate', 'refunded', 'undelivered', 'attachment', 'settings', 'said_paid', 'question'));`,
    );
    this.addSql('grant update (waiting_until) on inbox_items to quita_app;');

    this.addSql(
      `alter table "person_requests" add constraint "person_requests_known" check (requests <@ array['hardship', 'negotiate', 'human', 'said_paid', 'death']);`,
    );
    this.addSql(`alter table "person_requests" enable row level security;`);
    this.addSql(`alter table "person_requests" force row level security;`);
    this.addSql(
      `create policy "tenant" on "person_requests" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "person_requests" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql('grant select, insert, update on person_requests to quita_app;');
    this.addSql('grant select, insert, update, delete on person_requests to quita_worker;');
  }
}
