import { Migration } from '@mikro-orm/migrations';

/** A request of the API may wake the workflow of an agreement of its own client, so the check of its outbox rows reads whose it is. */
export class Migration20261126221500_wake_agreements extends Migration {
  override name = 'Migration20261126221500_wake_agreements';

  override up(): void {
    this.addSql(`grant select (client_id) on "agreements" to quita_functions;`);
  }
}
