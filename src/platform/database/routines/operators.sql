-- What the operators' console counts over all clients. It is functions, because the role that serves requests sees one
-- client at a time: they return ids, counts, states and moments, and no text of a client or of a debtor. Only a
-- transaction that is signed as an operator's may call them.

create or replace function require_operator() returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
  begin
    if public.quita_scope('app.operator') is distinct from 'on' then
      raise exception using errcode = '42501', message = 'Only operators read this';
    end if;
  end $$;

revoke execute on function require_operator() from public;


-- What waits over all clients, or for one of them; a row of the outbox belongs to none. A count ends at 10000, so that a
-- large backlog does not make the console slow.
create or replace function operator_waiting(of_client uuid)
returns table (kind text, waiting int, oldest_seconds float8)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
  begin
    perform public.require_operator();
    return query
      with rows (kind, since) as (
        (select 'outbox_due', o.available_at from public.outbox o
          where of_client is null and o.delivered_at is null and o.available_at <= public.quita_now() limit 10000)
        union all
        (select 'outbox_parked', o.created_at from public.outbox o
          where of_client is null and o.delivered_at is null and starts_with(o.last_error, 'parked:') limit 10000)
        union all
        (select 'messages', m.created_at from public.messages m
          where m.direction = 'in' and m.handled_at is null and (of_client is null or m.client_id = of_client)
          limit 10000)
        union all
        (select 'payment_notifications', n.created_at from public.payment_notifications n
          where n.handled_at is null and (of_client is null or n.client_id = of_client) limit 10000)
        union all
        (select 'webhook_deliveries', d.next_attempt_at from public.webhook_deliveries d
          where d.state = 'pending' and (of_client is null or d.client_id = of_client) limit 10000))
      select known.kind, count(rows.kind)::int,
        greatest(0, coalesce(extract(epoch from public.quita_now() - min(rows.since)), 0))::float8
      from unnest(array['outbox_due', 'outbox_parked', 'messages', 'payment_notifications', 'webhook_deliveries'])
        with ordinality as known (kind, position)
      left join rows on rows.kind = known.kind
      where of_client is null or not starts_with(known.kind, 'outbox_')
      group by known.kind, known.position order by known.position;
  end $$;

revoke execute on function operator_waiting(uuid) from public;
grant execute on function operator_waiting(uuid) to quita_app;


-- The rows that no retry delivers. Both columns hold words of this service and ids.
create or replace function operator_parked()
returns table (id uuid, workflow text, workflow_id text, created_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
  begin
    perform public.require_operator();
    return query select o.id, o.workflow, o.workflow_id, o.created_at::timestamptz from public.outbox o
      where o.delivered_at is null and starts_with(o.last_error, 'parked:') order by o.created_at limit 100;
  end $$;

revoke execute on function operator_parked() from public;
grant execute on function operator_parked() to quita_app;


-- What somebody has to look at, one row each: a channel that fails or pauses, an account that fails, a certificate that
-- ends within 30 days, a webhook that fails or is disabled. `about` names the channel or the provider.
create or replace function operator_problems(of_client uuid)
returns table (kind text, client_id uuid, about text, since timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
  begin
    perform public.require_operator();
    return query
      select p.kind, p.client_id, p.about, p.since from (
        select case s.state when 'failing' then 'channel_failing' else 'channel_paused' end as kind, s.client_id,
          s.channel as about, s.updated_at::timestamptz as since
        from public.channel_senders s where s.replaced_at is null and s.state in ('failing', 'paused')
        union all
        select 'account_failing', c.client_id, c.purpose, c.updated_at::timestamptz
        from public.client_credentials c where c.replaced_at is null and c.problem is not null
        union all
        select 'certificate_ending', c.client_id, c.purpose, c.certificate_expires_at::timestamptz
        from public.client_credentials c
        where c.replaced_at is null and c.certificate_expires_at < public.quita_now() + interval '30 days'
        union all
        select case w.state when 'disabled' then 'webhook_disabled' else 'webhook_failing' end, w.client_id, null::text,
          coalesce(w.disabled_at, w.failing_since)::timestamptz
        from public.webhooks w where w.disabled_reason in ('gone', 'failing') or w.state = 'active' and w.failing_since is not null
      ) p where of_client is null or p.client_id = of_client
      order by p.since, p.client_id, p.kind limit 200;
  end $$;

revoke execute on function operator_problems(uuid) from public;
grant execute on function operator_problems(uuid) to quita_app;
