import { Migration } from '@mikro-orm/migrations';

/**
 * Whether an import's debt is known already is one look-up each. All indexes of debts began with the client, and of a
 * client whom the last analyze had not seen PostgreSQL expects one row whichever it takes: an import of 50,000 into a
 * house of other clients' debts took minutes. And who looks for a person in all debts had no index at all.
 */
export class Migration20261121041945_debt_lookups extends Migration {
  override name = 'Migration20261121041945_debt_lookups';

  override up(): void {
    this.addSql(`drop index "debts_client_person";`);
    this.addSql(`drop index "debts_client_phone";`);
    this.addSql(`drop index "debts_campaign_status_position";`);
    this.addSql(
      `create index "debts_person" on "debts" ("debtor_cpf", "client_id", "original_amount_centavos", "due_date");`,
    );
    this.addSql(`create index "debts_phone" on "debts" ("debtor_phone", "client_id");`);
    this.addSql(`create index "debts_campaign_status_position" on "debts" ("campaign_id", "status", "position");`);
  }
}
