import { Migration } from '@mikro-orm/migrations';

/**
 * An import looks up for each debt whether the client has it already. All indexes of debts began with the client, and
 * for a client that the last ANALYZE had not seen, the planner estimates one row for each of them. An import of 50,000
 * debts into a database with debts of other clients took minutes. The lookup of a person in all debts had no index.
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
