import { Migration } from '@mikro-orm/migrations';

export class Migration20261127233040_ledger_bookings extends Migration {
  override name = 'Migration20261127233040_ledger_bookings';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "contact_ledger_bookings" on "contact_ledger" ("at", "client_id", "debt_id") where kind = 'booking';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "contact_ledger_bookings";`);
  }
}
