import { Migration } from '@mikro-orm/migrations';

/**
 * A charge that is replaced while the provider makes it is superseded, so that its code is cancelled when it arrives.
 * Until now such a charge was cancelled here only: its code stayed payable, and its questions never ended.
 */
export class Migration20261122131418_superseded_charges extends Migration {
  override name = 'Migration20261122131418_superseded_charges';

  override up(): void {
    this.addSql(`alter table "charges" add "superseded_at" timestamptz(3) null;`);
    // Row security that is forced on the owner as well would hide every row from these updates.
    this.addSql('alter table "charges" no force row level security;');
    this.addSql(
      `update "charges" set "superseded_at" = now() where "status" = 'CANCELLED' and "provider_payment_id" is null;`,
    );
    this.addSql(`update "charges" set "superseded_at" = now(), "status" = 'PENDING', "br_code" = null, "ask_at" = now()
      where "status" = 'CANCELLED' and "provider_payment_id" is not null and "ask_at" is not null;`);
    this.addSql('alter table "charges" force row level security;');
  }
}
