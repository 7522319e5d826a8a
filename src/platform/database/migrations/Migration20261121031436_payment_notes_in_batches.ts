import { Migration } from '@mikro-orm/migrations';

/**
 * Each notification cost a transaction: a read of its charge, an insert into the inbox, one into the outbox, a commit.
 * Notifications that arrive while one is being written are now written together, for all clients.
 */
export class Migration20261121031436_payment_notes_in_batches extends Migration {
  override name = 'Migration20261121031436_payment_notes_in_batches';

  override up(): void {
    this.addSql(`drop policy "notified_charge" on "charges";`);

    this.addSql(
      `create policy "notified_charge" on "charges" for select to "quita_app" using (provider_payment_key = any (( SELECT string_to_array(nullif(current_setting('app.payment_keys', true), ''), ',') AS "nullif")::text[]));`,
    );

    this.addSql('drop function note_payment(text, text, text, text, text, text, text, int);');

    // The charges show their clients, and each client in turn becomes the scope. The function runs with the rights of
    // its caller, so row security applies inside. The rows are written in one order, so that two batches do not
    // deadlock.
    this.addSql(`create function note_payments(payment_keys text[], request_ids text[], outbox_kind text,
        outbox_workflow text, workflow_id_prefix text, outbox_signal text, dedupe_prefix text, sandbox_max_wait int)
      returns void language plpgsql as $$
        declare
          owners uuid[];
          owner uuid;
        begin
          perform set_config('app.payment_keys', array_to_string(payment_keys, ','), true);
          select array_agg(distinct c.client_id order by c.client_id) into owners
          from charges c where c.provider_payment_key = any (payment_keys);
          perform set_config('app.payment_keys', '', true);
          foreach owner in array coalesce(owners, '{}') loop
            perform set_config('app.client_id', owner::text, true);
            with notified as (
              select c.id, c.debt_id, told.request_id
              from unnest(payment_keys, request_ids) as told (payment_key, request_id)
              join charges c on c.client_id = owner and c.provider_payment_key = told.payment_key
            ), noted as (
              insert into payment_notifications (client_id, charge_id, request_id)
              select owner, id, request_id from notified
            )
            insert into outbox (kind, workflow, workflow_id, signal, payload, dedupe_key)
            select outbox_kind, outbox_workflow, workflow_id_prefix || d.id, outbox_signal,
              jsonb_build_object('clientId', owner, 'campaignId', d.campaign_id, 'debtId', d.id,
                'sandbox', d.sandbox, 'maxWaitMs', case when d.sandbox then sandbox_max_wait end,
                'offsetMs', d.clock_offset_ms, 'firstAt', null),
              dedupe_prefix || d.id
            from debts d where d.id in (select debt_id from notified)
            order by d.id
            on conflict (dedupe_key) where delivered_at is null do update set requests = outbox.requests + 1;
          end loop;
        end $$;`);
  }
}
