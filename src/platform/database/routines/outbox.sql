-- Whether a client may ask for this work: the payload names no other client, and the workflow is one of its own.
create or replace function is_work_of(client uuid, kind text, workflow text, workflow_id text, payload jsonb)
returns boolean language sql stable set search_path = pg_catalog, pg_temp as $$
  select coalesce(payload->>'clientId' = client::text, true) and case
    when workflow = 'run-campaign' then exists (
      select from public.campaigns c where c.client_id = client
        and c.id = substring(workflow_id from '^campaign-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$')::uuid)
    when workflow = 'collect-debt' and kind = 'batch_signal' then workflow_id = 'every-of-' || client
      and payload->>'clientId' = client::text
      or exists (select from public.campaigns c where c.client_id = client and c.id::text = payload->>'campaignId'
        and workflow_id = 'every-of-' || c.id)
    when workflow = 'collect-debt' then payload->>'clientId' = client::text and exists (
      select from public.debts d where d.id = (payload->>'debtId')::uuid and d.client_id = client
        and workflow_id = 'collection-' || d.id)
    when workflow = 'follow-agreement' and kind = 'batch_signal' then workflow_id = 'every-of-' || client
      and payload->>'clientId' = client::text
    when workflow = 'follow-agreement' then payload->>'clientId' = client::text and exists (
      select from public.agreements a where a.id = (payload->>'agreementId')::uuid and a.client_id = client
        and workflow_id = 'agreement-' || a.id)
    when workflow = 'follow-listings' then payload->>'clientId' = client::text and exists (
      select from public.debts d where d.id = (payload->>'debtId')::uuid and d.client_id = client
        and workflow_id = 'listings-' || d.id)
    when workflow = 'deliver-webhooks' then payload->>'clientId' = client::text and exists (
      select from public.webhooks w where w.id = (payload->>'webhookId')::uuid and w.client_id = client
        and workflow_id = 'webhooks-' || w.id)
    -- An erasure cannot be undone, so that an owner's request alone may ask for it, whatever a statement says.
    when workflow = 'erase-debtor' then kind = 'start' and payload->>'clientId' = client::text
      and public.quita_scope('app.role') = 'owner'
      and workflow_id ~ '^erasure-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' and exists (
      select from public.debts d where d.id = (payload->>'debtId')::uuid and d.client_id = client)
    when workflow = 'ask-for-phone' then kind = 'start' and payload->>'clientId' = client::text
      and workflow_id = 'phone-request-' || (payload->>'requestId')
    when workflow = 'send-account-mail' then payload->>'clientId' = client::text
      and workflow_id = 'account-mail-' || (payload->>'requestId')
    else false
  end
$$;

revoke execute on function is_work_of(uuid, text, text, text, jsonb) from public;


-- Adds outbox rows for callers who may not read the outbox. The API adds work of its transaction's client alone, and
-- without a client only its own heartbeat, and mails of an account (`app.auth`). The rows are written in the order of their keys, so that two
-- transactions with the same keys do not deadlock.

create or replace function add_outbox(ids uuid[], kinds text[], workflows text[], workflow_ids text[],
  signals text[], payloads jsonb[], dedupe_keys text[], moments timestamptz[])
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  declare
    owner uuid;
  begin
    -- The worker, and the owner, look after the work of all clients.
    if not pg_has_role(session_user, 'quita_worker', 'usage') then
      owner := public.quita_scope('app.client_id')::uuid;
      if exists (
        select from unnest(kinds, workflows, workflow_ids, payloads) as given (kind, workflow, workflow_id, payload)
        where not coalesce(case
          when owner is not null then public.is_work_of(owner, kind, workflow, workflow_id, payload)
          when workflow = 'heartbeat' then payload = '{}'
          else workflow = 'send-account-mail' and public.quita_scope('app.auth') is not null end, false)
      ) then
        raise exception using errcode = '42501', message = 'The outbox row is not work of the client';
      end if;
    end if;
    -- In the order of the keys, so that two transactions with the same keys wait for each other, not for ever.
    insert into public.outbox (id, kind, workflow, workflow_id, signal, payload, dedupe_key, available_at)
    select id, kind, workflow, workflow_id, signal, payload, dedupe_key, coalesce(moment, public.quita_now())
    from unnest(ids, kinds, workflows, workflow_ids, signals, payloads, dedupe_keys, moments)
      as given (id, kind, workflow, workflow_id, signal, payload, dedupe_key, moment)
    order by dedupe_key
    on conflict (dedupe_key) where delivered_at is null do update set requests = outbox.requests + 1;
  end $$;

revoke execute on function add_outbox(uuid[], text[], text[], text[], text[], jsonb[], text[], timestamptz[]) from public;
grant execute on function add_outbox(uuid[], text[], text[], text[], text[], jsonb[], text[], timestamptz[]) to quita_app, quita_worker;


create or replace function outbox_backlog(out depth int, out oldest_seconds float8)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select count(*)::int, coalesce(extract(epoch from public.quita_now() - min(created_at)), 0)::float8
  from public.outbox where delivered_at is null
$$;

revoke execute on function outbox_backlog() from public;
grant execute on function outbox_backlog() to quita_app, quita_worker;
