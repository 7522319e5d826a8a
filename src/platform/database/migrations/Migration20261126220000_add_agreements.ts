import { Migration } from '@mikro-orm/migrations';
import { countDebts } from './foundation/count-debts.ts';

/**
 * A debtor accepts an offer: the agreement is stored with its debts and the evidence of the acceptance, codes may ask for an
 * instalment, and a debt has the status of an active agreement. What a debt gets of a payment by an agreement is a charge of
 * its own.
 */
export class Migration20261126220000_add_agreements extends Migration {
  override name = 'Migration20261126220000_add_agreements';

  override up(): void {
    this.addSql(
      `create table "agreements" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "debt_id" uuid not null, "offer_id" uuid not null, "sandbox" boolean not null, "protocol" text not null, "status" text not null, "total_centavos" bigint not null, "discount_centavos" bigint not null, "instalments" jsonb not null, "breach_after_days" int not null, "after_breach" text not null, "moves_left" int not null, "notices" jsonb not null default '[]', "agreed_on" date not null, "accepted_at" timestamptz(3) not null, "accepted_by" text not null, "accepted_in" uuid null, "accepted_text" text not null, "accepted_text_hash" char(64) not null, "accepted_phone" text not null, "stopped_because" text null, "taken_back_on" date null, "next_at" timestamptz(3) null, "ended_at" timestamptz(3) null, "cancel_reason" text null, "pdf" bytea null, "sha256" char(64) null, "created_at" timestamptz(3) not null default quita_now(), "updated_at" timestamptz(3) not null default quita_now(), primary key ("id"));`,
    );
    this.addSql(`create index "agreements_client" on "agreements" ("client_id", "created_at", "id");`);
    this.addSql(`create index "agreements_debt" on "agreements" ("debt_id");`);
    this.addSql(
      `create index "agreements_due" on "agreements" ("next_at") where status = 'ACTIVE' and next_at is not null;`,
    );
    this.addSql(`alter table "agreements" add constraint "agreements_protocol" unique ("protocol");`);
    this.addSql(`alter table "agreements" add constraint "agreements_offer" unique ("offer_id");`);
    this.addSql(
      `create table "agreement_debts" ("id" uuid not null default gen_random_uuid(), "client_id" uuid not null, "agreement_id" uuid not null, "debt_id" uuid not null, "position" int not null, "owed_centavos" bigint not null, "discount_centavos" bigint not null, primary key ("id"));`,
    );
    this.addSql(`create index "agreement_debts_client" on "agreement_debts" ("client_id");`);
    this.addSql(`create index "agreement_debts_debt" on "agreement_debts" ("debt_id");`);
    this.addSql(
      `alter table "agreement_debts" add constraint "agreement_debts_position" unique ("agreement_id", "position");`,
    );
    this.addSql(`alter table "debts" drop constraint "debts_status_known";`);
    this.addSql(`alter table "debts" add "agreement_id" uuid null;`);
    this.addSql(
      `alter table "debts" add constraint "debts_status_known" check (status in ('IMPORTED', 'QUEUED', 'IN_COLLECTION', 'PROMISED', 'AGREEMENT', 'ON_HOLD', 'DISPUTED', 'OPTED_OUT', 'PAID', 'EXHAUSTED', 'UNREACHABLE', 'STOPPED'));`,
    );
    this.addSql(`alter table "messages" drop constraint "messages_purpose_known";`);
    this.addSql(
      `alter table "messages" add constraint "messages_purpose_known" check (purpose in ('collection', 'agreement', 'reply', 'receipt', 'opt_out_confirmation'));`,
    );
    this.addSql(`alter table "offers" drop constraint "offers_made_by_known";`);
    this.addSql(
      `alter table "offers" add constraint "offers_made_by_known" check (made_by in ('policy', 'staff', 'proposal'));`,
    );
    this.addSql(`alter table "charges" drop constraint "charges_provider_known";`);
    this.addSql(
      `alter table "charges" add "agreement_id" uuid null, add "instalment" int null, add "part_of" uuid null;`,
    );
    this.addSql(
      `alter table "charges" add constraint "charges_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id") on delete no action;`,
    );
    this.addSql(`create index "charges_agreement" on "charges" ("agreement_id") where agreement_id is not null;`);
    this.addSql(`create index "charges_part_of" on "charges" ("part_of") where part_of is not null;`);
    this.addSql(
      `alter table "charges" add constraint "charges_part_of_agreement" check ((provider = 'agreement') = (part_of is not null));`,
    );
    this.addSql(
      `alter table "charges" add constraint "charges_provider_known" check (provider in ('sandbox', 'mercadopago', 'outside', 'agreement'));`,
    );
    this.addSql(`alter table "inbox_items" drop constraint "inbox_items_reason_known";`);
    this.addSql(
      `alter table "inbox_items" add constraint "inbox_items_reason_known" check (reason in ('disputed', 'hardship', 'negotiate', 'human', 'underpaid', 'duplicate', 'overpaid', 'refunded', 'undelivered', 'attachment', 'settings', 'said_paid', 'question', 'agreement'));`,
    );
    this.addSql(`alter table "debt_events" drop constraint "debt_events_kind_known";`);
    this.addSql(
      `alter table "debt_events" add constraint "debt_events_kind_known" check (kind in ('needs_person', 'note', 'verdict', 'charge_created', 'message_sent', 'message_received', 'status_changed', 'debt_changed', 'payment_approved', 'payment_duplicate', 'payment_changed', 'receipt_issued', 'offer_made', 'agreement_accepted', 'instalment_paid', 'agreement_changed', 'agreement_broken', 'agreement_completed', 'email_sent'));`,
    );
    this.addSql(
      `alter table "agreements" add constraint "agreements_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "agreements" add constraint "agreements_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(
      `alter table "agreements" add constraint "agreements_offer_id_foreign" foreign key ("offer_id") references "offers" ("id");`,
    );
    this.addSql(
      `alter table "agreements" add constraint "agreements_status_known" check (status in ('ACTIVE', 'COMPLETED', 'BROKEN', 'CANCELLED'));`,
    );
    this.addSql(
      `alter table "agreements" add constraint "agreements_after_breach_known" check (after_breach in ('restore', 'keep'));`,
    );
    this.addSql(
      `alter table "agreements" add constraint "agreements_accepted_by_known" check (accepted_by in ('page', 'message', 'staff'));`,
    );
    this.addSql(
      `alter table "agreements" add constraint "agreements_stopped_because_known" check (stopped_because in ('opt_out', 'dispute', 'hardship', 'wrong_person', 'death'));`,
    );
    this.addSql(
      `alter table "agreements" add constraint "agreements_ended" check ((status = 'ACTIVE') = (ended_at is null));`,
    );
    this.addSql(`alter table "agreements" add constraint "agreements_total_positive" check (total_centavos > 0);`);
    this.addSql(
      `alter table "agreements" add constraint "agreements_drawn_whole" check ((pdf is null) = (sha256 is null));`,
    );
    this.addSql(`alter table "agreements" enable row level security;`);
    this.addSql(`alter table "agreements" force row level security;`);
    this.addSql(
      `create policy "tenant" on "agreements" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "agreements" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
    this.addSql(
      `create policy "public_receipt" on "agreements" for select to "quita_app" using (protocol = ( SELECT quita_scope('app.receipt_protocol'::text) AS quita_scope));`,
    );
    this.addSql(
      `alter table "agreement_debts" add constraint "agreement_debts_client_id_foreign" foreign key ("client_id") references "clients" ("id");`,
    );
    this.addSql(
      `alter table "agreement_debts" add constraint "agreement_debts_agreement_id_foreign" foreign key ("agreement_id") references "agreements" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "agreement_debts" add constraint "agreement_debts_debt_id_foreign" foreign key ("debt_id") references "debts" ("id");`,
    );
    this.addSql(`alter table "agreement_debts" enable row level security;`);
    this.addSql(`alter table "agreement_debts" force row level security;`);
    this.addSql(
      `create policy "tenant" on "agreement_debts" to "quita_app", "quita_worker" using (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid) with check (client_id = (( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid);`,
    );
    this.addSql(
      `create policy "worker_search" on "agreement_debts" for select to "quita_worker" using ((( SELECT quita_scope('app.client_id'::text) AS quita_scope))::uuid is null);`,
    );
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
    this.addSql(`grant select, insert, update on "agreements" to quita_app, quita_worker;`);
    this.addSql(`grant select, insert on "agreement_debts" to quita_app, quita_worker;`);
    this.addSql(`grant insert on "offers" to quita_worker;`);
    this.addSql(`grant update (accepted_at) on "offers" to quita_app, quita_worker;`);
    this.addSql(`grant select (agreement_id) on "charges" to quita_functions;`);
  }
}
