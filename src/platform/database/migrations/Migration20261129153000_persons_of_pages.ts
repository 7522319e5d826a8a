import { Migration } from '@mikro-orm/migrations';

/** What the pages of debtors poll is never the state of a debt that an import has given another person. */
export class Migration20261129153000_persons_of_pages extends Migration {
  override name = 'Migration20261129153000_persons_of_pages';

  override up(): void {
    this.addSql(`grant select (debtor_tax_id, erased_person_key) on "debts" to quita_functions;`);
  }
}
