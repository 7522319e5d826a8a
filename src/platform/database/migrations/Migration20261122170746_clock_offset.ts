import { Migration } from '@mikro-orm/migrations';

/**
 * `CLOCK_OFFSET` shifts the clock of the whole service, so moments of statements and defaults of columns must agree with
 * moments of the application. The function is stable, is inlined, and without the setting is the time of the transaction.
 */
export class Migration20261122170746_clock_offset extends Migration {
  override name = 'Migration20261122170746_clock_offset';

  override up(): void {
    this.addSql(`create function quita_now() returns timestamptz language sql stable parallel safe as $$
      select now() + make_interval(
        secs => coalesce(nullif(current_setting('quita.clock_offset_ms', true), ''), '0')::float8 / 1000)
    $$;`);
    this.addSql(`alter table "audit_log" alter column "at" set default quita_now();`);
    this.addSql(`alter table "clients" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "clients" alter column "updated_at" set default quita_now();`);
    this.addSql(`alter table "channel_templates" alter column "updated_at" set default quita_now();`);
    this.addSql(`alter table "channel_senders" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "channel_senders" alter column "updated_at" set default quita_now();`);
    this.addSql(`alter table "campaigns" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "campaigns" alter column "updated_at" set default quita_now();`);
    this.addSql(`alter table "api_keys" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "client_credentials" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "client_credentials" alter column "updated_at" set default quita_now();`);
    this.addSql(`alter table "contact_ledger" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "debts" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "debts" alter column "updated_at" set default quita_now();`);
    this.addSql(`alter table "checkout_notices" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "charges" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "charges" alter column "updated_at" set default quita_now();`);
    this.addSql(`alter table "debtor_pages" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "email_confirmations" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "idempotency_keys" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "identities" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "inbox_items" alter column "since" set default quita_now();`);
    this.addSql(`alter table "messages" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "attachments" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "outbox" alter column "available_at" set default quita_now();`);
    this.addSql(`alter table "outbox" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "password_resets" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "payment_notifications" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "policy_versions" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "receipts" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "receipt_deliveries" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "recipients" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "recipients" alter column "updated_at" set default quita_now();`);
    this.addSql(`alter table "sandbox_acts" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "sandbox_charges" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "sandbox_outbox" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "sessions" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "refresh_tokens" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "suppressions" alter column "created_at" set default quita_now();`);
    this.addSql(`alter table "unmatched_messages" alter column "created_at" set default quita_now();`);
  }
}
