import { Migration } from '@mikro-orm/migrations';

/**
 * After a restore nobody knows who was contacted since the backup, so the caps count a contact of everybody on each of
 * these days. The API reads them too, so that its answers about the next contact agree with the gate.
 */
export class Migration20261123043514_backup extends Migration {
  override name = 'Migration20261123043514_backup';

  override up(): void {
    this.addSql(`create table "unrecorded_contacts" ("at" timestamptz(3) not null, primary key ("at"));`);
    this.addSql('grant select on unrecorded_contacts to quita_app;');
    this.addSql('grant select on unrecorded_contacts to quita_worker;');
    this.addSql('grant insert on unrecorded_contacts to quita_operator;');
  }
}
