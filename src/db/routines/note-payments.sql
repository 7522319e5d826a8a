-- Notes notifications of payments and wakes the workflows of their debts, for the charges of all clients at once. The same
-- signed request again is the same notification, in this call or in an earlier one. The rows are written in one order, so
-- that two calls wait for each other once and not in a circle.

create or replace function note_payments(payment_keys text[], request_ids text[], signed_requests text[],
  outbox_kind text, outbox_workflow text, workflow_id_prefix text, outbox_signal text, dedupe_prefix text,
  sandbox_max_wait int)
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan as $$
  begin
  with told as (
    select distinct on (c.id, coalesce(given.signed_request, given.n::text))
      given.n, c.id, c.client_id, c.debt_id, given.request_id, given.signed_request
    from unnest(payment_keys, request_ids, signed_requests) with ordinality
        as given (payment_key, request_id, signed_request, n)
      join public.charges c on c.provider_payment_key = given.payment_key
    where given.signed_request is null or not exists (
      select from public.payment_notifications p
      where p.charge_id = c.id and p.signed_request = given.signed_request
    )
    order by c.id, coalesce(given.signed_request, given.n::text), given.n
  ), noted as (
    insert into public.payment_notifications (client_id, charge_id, request_id, signed_request)
    select client_id, id, request_id, signed_request from told order by n
  )
  insert into public.outbox (kind, workflow, workflow_id, signal, payload, dedupe_key)
  select outbox_kind, outbox_workflow, workflow_id_prefix || d.id, outbox_signal,
    jsonb_build_object('clientId', one.client_id, 'campaignId', d.campaign_id, 'debtId', d.id,
      'sandbox', d.sandbox, 'maxWaitMs', case when d.sandbox then sandbox_max_wait end,
      'offsetMs', d.clock_offset_ms, 'firstAt', null),
    dedupe_prefix || d.id
  from (select distinct debt_id, client_id from told) as one join public.debts d on d.id = one.debt_id
  order by d.id
  on conflict (dedupe_key) where delivered_at is null do update set requests = outbox.requests + 1;
  end $$;

revoke execute on function note_payments(text[], text[], text[], text, text, text, text, text, int) from public;
grant execute on function note_payments(text[], text[], text[], text, text, text, text, text, int) to quita_app;
