import { Migration } from '@mikro-orm/migrations';

/**
 * A file of the client tells of payments too: why it is not certain which debt one is for is kept for the person who
 * decides. A payment that was recorded about the wrong debt can be taken back, and its receipt says so.
 */
export class Migration20261127110000_settlement_files extends Migration {
  override name = 'Migration20261127110000_settlement_files';

  override up(): void {
    this.addSql(`alter table "charges" add "undone_at" timestamptz(3) null;`);

    this.addSql(`alter table "receipts" drop constraint "receipts_revoked_reason_known";`);
    this.addSql(
      `alter table "receipts" add constraint "receipts_revoked_reason_known" check (revoked_reason in ('refund', 'chargeback', 'undone'));`,
    );

    this.addSql(`alter table "received_payments" add "memo" text null, add "doubt" text null;`);
    this.addSql(
      `alter table "received_payments" add constraint "received_payments_doubt_known" check (doubt in ('debt_not_found', 'no_open_debt', 'amount_differs', 'amount_alone', 'several_debts', 'tax_id_differs', 'date_differs', 'same_day', 'invoice_differs'));`,
    );
    this.addSql(`grant insert on "received_payments" to quita_app;`);
    // An erasure removes what names the payer.
    this.addSql(`grant update on "received_payments" to quita_worker;`);
  }
}
