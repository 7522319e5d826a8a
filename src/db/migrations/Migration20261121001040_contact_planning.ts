import { Migration } from '@mikro-orm/migrations';

/**
 * A phone that belongs to somebody else: pages that know only the debt must show nothing of it. And the order in which
 * a campaign's debts are started, as an index, because each page of the plan asks for the best that are
 * left; a debt enters it with its score, so that a launch does not write it.
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
