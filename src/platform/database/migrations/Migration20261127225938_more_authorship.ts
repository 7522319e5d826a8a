import { Migration } from '@mikro-orm/migrations';

/**
 * Offers, agreements, received payments, launches and imports name the member too. On timelines `by` is the member
 * everywhere, so that what made an offer and how it was accepted get words of their own; entries from before are renamed.
 */
export class Migration20261127225938_more_authorship extends Migration {
  override name = 'Migration20261127225938_more_authorship';

  override up(): void {
    for (const table of ['offers', 'agreements', 'received_payments']) {
      // Two steps: a default that is not constant would make PostgreSQL write every row of the table again.
      this.addSql(`alter table "${table}" add "member_id" uuid null;`);
      this.addSql(
        `alter table "${table}" alter column "member_id" set default (quita_scope('app.member'::text))::uuid;`,
      );
    }
    this.addSql(`alter table "agreements" add "cancelled_by" uuid null;`);
    this.addSql(`alter table "campaigns" add "launched_by" uuid null;`);
    this.addSql(`alter table "debts" add "imported_by" uuid null;`);

    // Row security is forced on the owner of the table too, who sees all rows here.
    this.addSql(`alter table "debt_events" no force row level security;`);
    for (const [kind, word] of [
      ['offer_made', 'madeBy'],
      ['agreement_accepted', 'acceptedBy'],
    ]) {
      this.addSql(
        `update "debt_events" set data = (data - 'by') || jsonb_build_object('${word}', data -> 'by') where kind = '${kind}' and data ? 'by';`,
      );
    }
    this.addSql(`alter table "debt_events" force row level security;`);
  }
}
