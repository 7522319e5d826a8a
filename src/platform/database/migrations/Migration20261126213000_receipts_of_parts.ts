import { Migration } from '@mikro-orm/migrations';

/** A part of a debt has a receipt of its own, and parts whose receipt is missing are found without reading all charges. */
export class Migration20261126213000_receipts_of_parts extends Migration {
  override up(): void {
    this.addSql(`create index "charges_underpaid" on "charges" ("underpaid_at") where underpaid_at is not null;`);
  }
}
