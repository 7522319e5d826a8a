import { Migration } from '@mikro-orm/migrations';

/** Every open page of a debtor polls its status. One statement now answers the pages that ask at the same time. */
export class Migration20261121040449_public_debts_in_batches extends Migration {
  override name = 'Migration20261121040449_public_debts_in_batches';

  override up(): void {
    this.addSql(`drop policy "public_debt" on "debts";`);
    this.addSql(`drop policy "public_debt" on "charges";`);
    this.addSql(
      `create policy "public_debt" on "debts" for select to "quita_app" using (id = any (( SELECT string_to_array(nullif(current_setting('app.debt_ids', true), ''), ',') AS "nullif")::uuid[]));`,
    );
    this.addSql(
      `create policy "public_debt" on "charges" for select to "quita_app" using (debt_id = any (( SELECT string_to_array(nullif(current_setting('app.debt_ids', true), ''), ',') AS "nullif")::uuid[]));`,
    );
  }
}
