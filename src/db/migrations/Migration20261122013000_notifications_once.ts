import { Migration } from '@mikro-orm/migrations';

/**
 * A notification that the provider sends again, with the same `x-request-id` and `ts`, wrote another inbox row and another
 * request into the outbox. `note_payments` now passes over what the inbox of the charge holds already.
 *
 * The policies of the audit log let a client read its own entries and let the purge delete old ones, but the rights to
 * read and to delete had been taken from both roles when the table was made: they are granted here. Row security decides
 * which rows they reach.
 */
export class Migration20261122013000_notifications_once extends Migration {
  override name = 'Migration20261122013000_notifications_once';

  override up(): void {
    this.addSql('drop function note_payments(text[], text[], text, text, text, text, text, int);');

    // A note without a signed request is never taken for a repeated one. What a batch needs are look-ups by index, whatever
    // the statistics say: those of a new client let the planner read all its notifications for each note, by the index of
    // the client, and those of a small one make a scan look cheaper. The order by prefers the index of the charge. One plan
    // for all calls costs less than planning each call did.
    this.addSql(`create function note_payments(payment_keys text[], request_ids text[], signed_requests text[],
        outbox_kind text, outbox_workflow text, workflow_id_prefix text, outbox_signal text, dedupe_prefix text,
        sandbox_max_wait int)
      returns void language plpgsql
      set enable_seqscan to off set enable_bitmapscan to off set plan_cache_mode to force_generic_plan as $$
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
              select distinct on (c.id, coalesce(told.signed_request, told.request_id))
                c.id, c.debt_id, told.request_id, told.signed_request
              from unnest(payment_keys, request_ids, signed_requests) as told (payment_key, request_id, signed_request)
              join charges c on c.client_id = owner and c.provider_payment_key = told.payment_key
              where (
                select true from payment_notifications n
                where n.charge_id = c.id and n.signed_request = told.signed_request
                order by n.charge_id, n.handled_at limit 1
              ) is null
            ), noted as (
              insert into payment_notifications (client_id, charge_id, request_id, signed_request)
              select owner, id, request_id, signed_request from notified
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

    this.addSql('grant select on "audit_log" to quita_app;');
    this.addSql('grant select ("seq", "at"), delete on "audit_log" to quita_worker;');
  }
}
