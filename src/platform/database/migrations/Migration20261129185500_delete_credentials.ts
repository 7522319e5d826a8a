import { Migration } from '@mikro-orm/migrations';

/** Who reclaims the address of an account deletes the credentials that a stranger has connected to it. */
export class Migration20261129185500_delete_credentials extends Migration {
  override name = 'Migration20261129185500_delete_credentials';

  override up(): void {
    this.addSql(`grant delete on "client_credentials" to quita_app;`);
  }
}
