import { Migration } from '@mikro-orm/migrations';

/**
 * Statistics read all debts of a campaign. The index now contains the debt's id, which the policy of the public pages
 * needs, so that statistics read only the index; it contains the position, so that a page of one status is a range of
 * the index. The policies read their settings once for each statement instead of once for each row, which took most of
 * the time.
 */
export class Migration20261121001314_debt_reads extends Migration {
  override name = 'Migration20261121001314_debt_reads';

  override up(): void {
    this.addSql(`drop policy "public_debt" on "debts";`);
    this.addSql(`drop policy "tenant" on "debts";`);

    this.addSql(`drop index "debts_client_campaign_status";`);
    this.addSql(
      `create index "debts_campaign_status_position" on "debts" ("client_id", "campaign_id", "status", "position") include ("original_amount_centavos", "id");`,
    );
    this.addSql(
      `create policy "public_debt" on "debts" for select to "quita_app" using (id = ( SELECT nullif(current_setting('app.debt_id', true), '')::uuid AS "nullif"));`,
    );
    this.addSql(
      `create policy "tenant" on "debts" to "quita_app", "quita_worker" using (client_id = ( SELECT nullif(current_setting('app.client_id', true), '')::uuid AS "nullif")) with check (client_id = ( SELECT nullif(current_setting('app.client_id', true), '')::uuid AS "nullif"));`,
    );
  }
}
