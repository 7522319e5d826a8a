import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the mark of a phone that belongs to another person, because public pages must show nothing of such a debt. Also
 * adds an index in the order in which a campaign's debts are started, because each page of the plan reads the best
 * remaining debts. A debt enters the index with its score, so that a launch does not write it.
 */
export class Migration20261121001040_contact_planning extends Migration {
  override name = 'Migration20261121001040_contact_planning';

  override up(): void {
    this.addSql(`alter table "debts" add "wrong_person_at" timestamptz(3) null;`);
    this.addSql(
      `create index "debts_campaign_queue" on "debts" ("campaign_id", "score" desc, "id" desc) where status = 'QUEUED' and scored_at is not null;`,
    );
  }
}
