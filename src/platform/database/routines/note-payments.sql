-- Stores notifications of payments and wakes the workflows of their debts or of their agreements, for the charges of all clients at once. A
-- notification whose signed request the inbox already holds for the charge changes nothing. The rows are written in the
-- order of their keys, so that two concurrent calls do not deadlock. A caller says what was paid, and not what follows.

create or replace function note_notified_payments(payment_keys text[], request_ids text[], signed_requests text[],
  sandbox_max_wait int)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan as $$
  begin
  with noted as (
    insert into public.payment_notifications (client_id, charge_id, request_id, signed_request)
    select c.client_id, c.id, given.request_id, given.signed_request
    from unnest(payment_keys, request_ids, signed_requests) with ordinality
        as given (payment_key, request_id, signed_request, n)
      join public.charges c on c.provider_payment_key = given.payment_key
    order by c.id, given.signed_request, given.n
    on conflict (charge_id, signed_request) do nothing
    returning charge_id
  )
  insert into public.outbox (kind, workflow, workflow_id, signal, payload, dedupe_key)
  select 'signal_with_start', case when one.agreement_id is null then 'collect-debt' else 'follow-agreement' end,
    case when one.agreement_id is null then 'collection-' || d.id else 'agreement-' || one.agreement_id end,
    'paymentNoticed',
    jsonb_build_object('clientId', one.client_id, 'sandbox', d.sandbox,
      'maxWaitMs', case when d.sandbox then sandbox_max_wait end,
      'offsetMs', d.clock_offset_ms + (extract(epoch from public.quita_now() - now()) * 1000)::bigint)
    || case when one.agreement_id is null
      then jsonb_build_object('campaignId', d.campaign_id, 'debtId', d.id, 'firstAt', null)
      else jsonb_build_object('agreementId', one.agreement_id) end,
    'paymentNoticed:' || coalesce(one.agreement_id, d.id)
  from (
    select distinct c.debt_id, c.client_id, c.agreement_id from noted join public.charges c on c.id = noted.charge_id
  ) as one join public.debts d on d.id = one.debt_id
  order by coalesce(one.agreement_id, d.id)
  on conflict (dedupe_key) where delivered_at is null do update set requests = outbox.requests + 1;
  end $$;

revoke execute on function note_notified_payments(text[], text[], text[], int) from public;
grant execute on function note_notified_payments(text[], text[], text[], int) to quita_app;
