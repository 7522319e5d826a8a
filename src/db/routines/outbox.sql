-- Adds outbox rows for callers who may not read the outbox. When the API adds a row that names a client, it must be the
-- client of the transaction. The rows are written in the order of their keys, so that two transactions with the same keys
-- do not deadlock.

create or replace function add_outbox(ids uuid[], kinds text[], workflows text[], workflow_ids text[],
  signals text[], payloads jsonb[], dedupe_keys text[], moments timestamptz[])
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  begin
    if pg_has_role(session_user, 'quita_app', 'usage') and public.quita_scope('app.auth') is null and exists (
      select from unnest(payloads) as payload
      where payload->>'clientId' <> coalesce(public.quita_scope('app.client_id'), '')
    ) then
      raise exception using errcode = '42501', message = 'The outbox row names another client';
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
