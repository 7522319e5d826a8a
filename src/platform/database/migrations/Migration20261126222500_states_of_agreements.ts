import { Migration } from '@mikro-orm/migrations';

/** The pages of the debts of an agreement ask what happened last to it. */
export class Migration20261126222500_states_of_agreements extends Migration {
  override name = 'Migration20261126222500_states_of_agreements';

  override up(): void {
    this.addSql(`grant select (agreement_id) on "debts" to quita_functions;`);
    this.addSql(`grant select (approved_at) on "charges" to quita_functions;`);
  }
}
