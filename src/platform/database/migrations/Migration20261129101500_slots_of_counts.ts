import { Migration } from '@mikro-orm/migrations';
import { countDebts } from './foundation/count-debts.ts';

/**
 * The lock of a slot was named by the whole setting, which begins with a signature of the transaction. So no transaction
 * found a slot taken, and those of connections that begin with the same slot waited for each other.
 */
export class Migration20261129101500_slots_of_counts extends Migration {
  override name = 'Migration20261129101500_slots_of_counts';

  override up(): void {
    this.addSql(
      countDebts('create or replace', [
        'IMPORTED',
        'QUEUED',
        'IN_COLLECTION',
        'PROMISED',
        'AGREEMENT',
        'ON_HOLD',
        'DISPUTED',
      ]),
    );
  }
}
