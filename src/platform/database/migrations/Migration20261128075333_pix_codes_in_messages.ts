import { Migration } from '@mikro-orm/migrations';

/**
 * A message may carry a Pix code that the debtor copies in it. Whether a sender may send such messages is said by its
 * owner, until the channel refuses one. The message names the charge, because its text does not contain the code.
 */
export class Migration20261128075333_pix_codes_in_messages extends Migration {
  override name = 'Migration20261128075333_pix_codes_in_messages';

  override up(): void {
    this.addSql(
      `alter table "channel_senders" add "pix_codes" boolean not null default false, add "pix_refusal" text null;`,
    );
    // The API stores what an owner says, and a refusal that the channel reports by its webhook.
    this.addSql(`grant update (pix_codes, pix_refusal) on "channel_senders" to quita_app;`);
    this.addSql(`alter table "messages" add "charge_id" uuid null;`);
    this.addSql(`alter table "sandbox_outbox" add "pix_code" text null;`);
  }
}
