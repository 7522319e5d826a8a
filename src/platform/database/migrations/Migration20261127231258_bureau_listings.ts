import { Migration } from '@mikro-orm/migrations';

/**
 * What clients have listed at credit bureaus. The worker needs no insert; it sets until when a listing has to go. Nobody
 * deletes a row: it is evidence.
 */
export class Migration20261127231258_bureau_listings extends Migration {
  override name = 'Migration20261127231258_bureau_listings';

  override up(): void {
    this.addSql(
      `create table "bureau_listings" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debt_id" uuid not null, "bureau" text not null, "listed_on" date not null, "notified_on" date not null, "remove_by" timestamptz(3) null, "removed_on" date null, "created_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(
      `create unique index "bureau_listings_open" on "bureau_listings" ("debt_id", lower("bureau")) where removed_on is null;`,
    );
    this.addSql(`create index "bureau_listings_debt" on "bureau_listings" ("debt_id");`);
    this.addSql(`create index "bureau_listings_client" on "bureau_listings" ("client_id", "created_at", "id");`);

    this.addSql(`alter table "inbox_items" drop constraint "inbox_items_reason_known";`);
    this.addSql(
      `alter table "inbox_items" add constraint "inbox_items_reason_known" check (reason in ('disputed', 'hardship', 'negotiate', 'human', 'underpaid', 'duplicate', 'overpaid', 'refunded', 'undelivered', 'attachment', 'settings', 'said_paid', 'question', 'agreement', 'negativation', 'rights'));`,
    );

    this.addSql(`alter table "debt_events" drop constraint "debt_events_kind_known";`);
    this.addSql(
      `alter table "debt_events" add constraint "debt_events_kind_known" check (kind in ('needs_person', 'note', 'verdict', 'charge_created', 'message_sent', 'message_received', 'status_changed', 'debt_changed', 'payment_approved', 'payment_duplicate', 'payment_changed', 'receipt_issued', 'offer_made', 'agreement_accepted', 'instalment_paid', 'agreement_changed', 'agreement_broken', 'agreement_completed', 'listed', 'listing_removed', 'email_sent'));`,
    );

    this.addSql(
      `alter table "bureau_listings" add constraint "bureau_listings_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "bureau_listings" add constraint "bureau_listings_debt_id_foreign" foreign key ("debt_id") references "debts" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "bureau_listings" add constraint "bureau_listings_notice_first" check (notified_on < listed_on);`,
    );
    this.addSql(
      `alter table "bureau_listings" add constraint "bureau_listings_removed_later" check (removed_on >= listed_on);`,
    );
    this.addSql(`alter table "bureau_listings" enable row level security;`);
    this.addSql(`alter table "bureau_listings" force row level security;`);
    this.addSql(
      `create policy "tenant" on "bureau_listings" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "bureau_listings" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(`grant select, insert, update (removed_on) on "bureau_listings" to quita_app;`);
    this.addSql(`grant select, update (remove_by) on "bureau_listings" to quita_worker;`);
  }
}
