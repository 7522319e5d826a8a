import { Migration } from '@mikro-orm/migrations';

/**
 * The worker has to know that the simulated clocks of a campaign are held when it starts an agreement, and may not read
 * the audit log, where the last command was looked for. Clocks that are held now are shown as running until the next
 * command.
 */
export class Migration20261128211018_hold_clocks_of_campaigns extends Migration {
  override name = 'Migration20261128211018_hold_clocks_of_campaigns';

  override up(): void {
    this.addSql(`alter table "campaigns" add "clocks_held" boolean not null default false;`);
  }
}
