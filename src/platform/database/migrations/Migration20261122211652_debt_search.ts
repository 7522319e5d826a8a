import { Migration } from '@mikro-orm/migrations';

/**
 * Staff search debts by the beginning of a name or an invoice. A folded name is stored, because row security keeps
 * `lower()` and `like` from an index, and the index of invoices moves to their keys, so that capitals make no difference.
 * The other indexes serve the settlement report and the list of receipts.
 */
export class Migration20261122211652_debt_search extends Migration {
  override name = 'Migration20261122211652_debt_search';

  override up(): void {
    this.addSql(`drop index "debts_client_invoice";`);
    this.addSql(`alter table "debts" add "name_key" text not null default '';`);

    // Debts that are there already can be found by their names at once. Row security that is forced on the owner as well
    // would hide them from this statement.
    this.addSql(`alter table "debts" no force row level security;`);
    this.addSql(String.raw`update "debts" set "name_key" = left(trim(regexp_replace(lower(regexp_replace(
      normalize("debtor_name", NFKD), '[\u0300-\u036f]', '', 'g')), '\s+', ' ', 'g')), 200)
      where "erased_at" is null;`);
    this.addSql(`alter table "debts" force row level security;`);
    this.addSql(
      `create index "debts_client_invoice_key" on "debts" ("client_id", "invoice_key" text_pattern_ops) where invoice_key is not null;`,
    );
    this.addSql(`create index "debts_client_name" on "debts" ("client_id", "name_key" collate "C", "id");`);

    this.addSql(
      `create index "charges_money" on "charges" ("client_id", coalesce("paid_at", "approved_at", "underpaid_at"), "id") where paid_centavos > 0;`,
    );

    this.addSql(
      `create index "debt_events_payment_changes" on "debt_events" ("client_id", "at") where kind = 'payment_changed';`,
    );

    this.addSql(`drop index "receipts_client";`);
    this.addSql(`create index "receipts_client" on "receipts" ("client_id", "issued_at", "id");`);
  }
}
