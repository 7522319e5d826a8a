import { Migration } from '@mikro-orm/migrations';

/**
 * Timelines and messages of ended debts are purged after a time that the operator may set for each client. The stored
 * column makes PostgreSQL write the table `debts` anew once: no debt can be read or written meanwhile (see the runbook).
 * The policies keep the worker, which may delete rows of these tables now, from deleting those of other debts.
 */
export class Migration20261123040819_retention extends Migration {
  override name = 'Migration20261123040819_retention';

  override up(): void {
    this.addSql(`alter table "clients" add "retention_days" int null;`);
    this.addSql(
      `alter table "clients" add constraint "clients_retention_bounded" check (retention_days >= 180 and retention_days <= 3653);`,
    );

    this.addSql(`alter table "debts" add "timeline_purged_at" timestamptz(3) null, add "retention_from" timestamptz(3) generated always as (CASE
    WHEN ((status = ANY (ARRAY['OPTED_OUT'::text, 'PAID'::text, 'EXHAUSTED'::text, 'UNREACHABLE'::text, 'STOPPED'::text])) AND ((timeline_purged_at IS NULL) OR (timeline_purged_at < updated_at))) THEN updated_at
    ELSE NULL::timestamp with time zone
END) stored null;`);
    this.addSql(
      `create index "debts_retention" on "debts" ("client_id", "retention_from", "id") where retention_from is not null;`,
    );

    this.addSql(`create policy "retention" on "debt_events" as restrictive for delete to "quita_worker" using ((EXISTS ( SELECT
   FROM debts
  WHERE ((debts.id = debt_events.debt_id) AND (debts.status = ANY (ARRAY['OPTED_OUT'::text, 'PAID'::text, 'EXHAUSTED'::text, 'UNREACHABLE'::text, 'STOPPED'::text])) AND (debts.updated_at < (quita_now() - make_interval(days => 180)))))));`);

    this.addSql(`create policy "retention" on "debt_notes" as restrictive for delete to "quita_worker" using ((EXISTS ( SELECT
   FROM debts
  WHERE ((debts.id = debt_notes.debt_id) AND (debts.status = ANY (ARRAY['OPTED_OUT'::text, 'PAID'::text, 'EXHAUSTED'::text, 'UNREACHABLE'::text, 'STOPPED'::text])) AND (debts.updated_at < (quita_now() - make_interval(days => 180)))))));`);

    this.addSql(`create policy "retention" on "messages" as restrictive for delete to "quita_worker" using ((EXISTS ( SELECT
   FROM debts
  WHERE ((debts.id = messages.debt_id) AND (debts.status = ANY (ARRAY['OPTED_OUT'::text, 'PAID'::text, 'EXHAUSTED'::text, 'UNREACHABLE'::text, 'STOPPED'::text])) AND (debts.updated_at < (quita_now() - make_interval(days => 180)))))));`);

    this.addSql('grant select (retention_days) on clients to quita_worker;');
    this.addSql('grant update (retention_days) on clients to quita_operator;');
    this.addSql('grant delete on debt_events, debt_notes, messages to quita_worker;');
  }
}
