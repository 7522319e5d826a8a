import { Migration } from '@mikro-orm/migrations';

export class Migration20261127093930_charge_due_on extends Migration {
  override name = 'Migration20261127093930_charge_due_on';

  override up(): void | Promise<void> {
    this.addSql(`alter table "charges" add "due_on" date null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "charges" drop column "due_on";`);
  }
}
