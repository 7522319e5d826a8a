import { Migration } from '@mikro-orm/migrations';

/** Operators see what waits for one client: the function that counts it may read whose a row is. */
export class Migration20261127233500_backlog_of_client extends Migration {
  override name = 'Migration20261127233500_backlog_of_client';

  override up(): void {
    this.addSql(`grant select (client_id) on "messages" to quita_functions;`);
    this.addSql(`grant select (client_id) on "payment_notifications" to quita_functions;`);
    this.addSql(`grant select (client_id) on "webhook_deliveries" to quita_functions;`);
  }
}
