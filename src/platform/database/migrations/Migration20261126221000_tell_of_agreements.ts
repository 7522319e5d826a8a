import { Migration } from '@mikro-orm/migrations';

/** Events tell of agreements. Their function reads which debts an agreement is about, to tell of it once. */
export class Migration20261126221000_tell_of_agreements extends Migration {
  override name = 'Migration20261126221000_tell_of_agreements';

  override up(): void {
    this.addSql(`alter table "events" drop constraint "events_type_known";`);
    this.addSql(
      `alter table "events" add constraint "events_type_known" check (type in ('debt.imported', 'debt.status_changed', 'debt.contacted', 'debt.message_received', 'payment.approved', 'payment.duplicate', 'payment.refunded', 'receipt.issued', 'receipt.revoked', 'agreement.accepted', 'agreement.instalment_paid', 'agreement.broken', 'agreement.completed', 'campaign.status_changed', 'webhook.test'));`,
    );
    this.addSql(`alter table "webhooks" drop constraint "webhooks_types_known";`);
    this.addSql(
      `alter table "webhooks" add constraint "webhooks_types_known" check (types <@ array['debt.imported', 'debt.status_changed', 'debt.contacted', 'debt.message_received', 'payment.approved', 'payment.duplicate', 'payment.refunded', 'receipt.issued', 'receipt.revoked', 'agreement.accepted', 'agreement.instalment_paid', 'agreement.broken', 'agreement.completed', 'campaign.status_changed']);`,
    );
    this.addSql(`create policy "functions_select" on "agreements" for select to "quita_functions" using (true);`);
    this.addSql(`create policy "functions_select" on "agreement_debts" for select to "quita_functions" using (true);`);
    this.addSql(`grant select (id, debt_id) on "agreements" to quita_functions;`);
    this.addSql(`grant select (agreement_id, debt_id, position) on "agreement_debts" to quita_functions;`);
  }
}
