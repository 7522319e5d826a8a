import { Migration } from '@mikro-orm/migrations';

export class Migration20261129123000_charges_by_end_to_end_id extends Migration {
  override name = 'Migration20261129123000_charges_by_end_to_end_id';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "charges_end_to_end" on "charges" ("client_id", "end_to_end_id") where end_to_end_id is not null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "charges_end_to_end";`);
  }
}
