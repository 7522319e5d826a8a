import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps the text of every version of a policy pack that was used, because a verdict names only the version. The API may
 * read what its own client has in the contact ledger and in the suppressions, so that eligibility asks by the same code
 * as the gate; the rows of other clients stay invisible to it.
 */
export class Migration20261122130746_verdicts_are_evidence extends Migration {
  override name = 'Migration20261122130746_verdicts_are_evidence';

  override up(): void {
    this.addSql(
      `create table "policy_versions" ("pack" text not null, "version" text not null, "hash" text not null, "content" jsonb not null, "created_at" timestamptz(3) not null default current_timestamp(3), primary key ("pack", "version"));`,
    );
    this.addSql(
      `create policy "own" on "contact_ledger" for select to "quita_app" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "own" on "suppressions" for select to "quita_app" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql('grant select on policy_versions to quita_app;');
    this.addSql('grant select, insert on policy_versions to quita_worker;');
    this.addSql(
      'grant select (person_key, phone_key, client_id, debt_id, kind, at, sandbox, hold_until) on contact_ledger to quita_app;',
    );
    this.addSql('grant select (kind, person_key, phone_key, client_id, sender, sandbox) on suppressions to quita_app;');
  }
}
