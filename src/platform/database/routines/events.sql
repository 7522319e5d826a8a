-- Writes what a client's systems are told, in the transaction of the change, whoever makes it: the functions are those of
-- triggers (`src/platform/database/tables/event-triggers.ts`). See docs/decisions/0017-events-out.md.

-- Where the change feed has an event that is written now. The feed shows an event once every transaction up to this number
-- has ended. The snapshot is taken after the statement that waited for the debt's lock, so that the events of one debt
-- have rising places.
create or replace function feed_place() returns bigint language sql volatile set search_path = pg_catalog, pg_temp as $$
  select greatest(pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)
$$;

revoke execute on function feed_place() from public;


-- Numbers the events of one debt or campaign from 1, so that a number tells nothing of other clients. Every writer holds
-- the lock of the row.
create or replace function count_event() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
  begin
    new.event_count := old.event_count + 1;
    return new;
  end $$;

revoke execute on function count_event() from public;


create or replace function tell_of_debts() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  declare
    place bigint;
    told_at timestamptz := public.quita_now();
  begin
    if tg_op = 'INSERT' then
      place := public.feed_place();
      insert into public.events (client_id, type, debt_id, campaign_id, at, sandbox, data, number, place, created_at)
      select client_id, 'debt.imported', id, campaign_id, created_at, sandbox, jsonb_build_object('status', status),
        event_count, place, told_at
      from added order by position;
      return null;
    end if;
    -- Most updates change no status.
    perform from added join removed on removed.id = added.id where removed.status <> added.status;
    if not found then return null; end if;
    place := public.feed_place();
    -- Whoever moves a debt dates its timeline in the same statement. A launch alone, which no timeline records, happens
    -- now, by the debt's own clock.
    insert into public.events (client_id, type, debt_id, campaign_id, at, sandbox, data, number, place, created_at)
    select added.client_id, 'debt.status_changed', added.id, added.campaign_id,
      case when added.status <> 'QUEUED' and added.last_event_at is not null then added.last_event_at
        else greatest(added.last_event_at, told_at + make_interval(secs => added.clock_offset_ms / 1000.0)) end,
      added.sandbox, jsonb_build_object('status', added.status, 'previousStatus', removed.status),
      added.event_count, place, told_at
    from added join removed on removed.id = added.id
    where removed.status <> added.status order by added.campaign_id, added.position;
    return null;
  end $$;

revoke execute on function tell_of_debts() from public;


create or replace function tell_of_timeline() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  declare
    place bigint;
  begin
    perform from added where kind in
      ('message_sent', 'message_received', 'payment_approved', 'payment_duplicate', 'payment_changed', 'receipt_issued',
        'agreement_accepted', 'instalment_paid', 'agreement_broken', 'agreement_completed');
    if not found then return null; end if;
    place := public.feed_place();
    with told as (
      select seq, client_id, debt_id, at, data, type
      from (
        select seq, client_id, debt_id, at, data,
          case kind
            -- Nobody was contacted by a message that no channel took.
            when 'message_sent' then case when data->>'purpose' in ('collection', 'reminder', 'agreement') and not exists (
                select from public.messages where id = (data->>'messageId')::uuid and delivery = 'failed'
              ) then 'debt.contacted' end
            when 'message_received' then 'debt.message_received'
            when 'payment_approved' then 'payment.approved'
            when 'payment_duplicate' then 'payment.duplicate'
            when 'payment_changed' then
              case when data->>'change' in ('refunded', 'charged_back', 'undone') then 'payment.refunded' end
            when 'receipt_issued' then 'receipt.issued'
            when 'agreement_accepted' then 'agreement.accepted'
            when 'instalment_paid' then 'agreement.instalment_paid'
            when 'agreement_broken' then 'agreement.broken'
            when 'agreement_completed' then 'agreement.completed'
          end as type
        from added
      ) as all_kinds
      -- The timeline of each debt has what happens to its agreement. Systems are told once, by the first of its debts.
      where type is not null and (type not like 'agreement.%' or exists (
        select from public.agreements as agreement
        join public.debts as first on first.id = agreement.debt_id
        join public.debts as own on own.id = all_kinds.debt_id and own.identity_id = first.identity_id
        where agreement.id = (all_kinds.data->>'agreementId')::uuid))
    ), counted as (
      update public.debts as debt set event_count = debt.event_count + of_debt.count
      from (select debt_id, count(*) as count from told group by debt_id) as of_debt where debt.id = of_debt.debt_id
      returning debt.id, debt.campaign_id, debt.sandbox, debt.event_count - of_debt.count as before
    )
    insert into public.events (client_id, type, debt_id, campaign_id, at, sandbox, data, number, place)
    select told.client_id, told.type, debt.id, debt.campaign_id, told.at, debt.sandbox,
      case
        when told.type in ('debt.contacted', 'debt.message_received') then
          jsonb_build_object('messageId', told.data->'messageId', 'channel', told.data->'channel')
        when told.type = 'receipt.issued' then
          jsonb_build_object('paymentId', told.data->'paymentId', 'protocol', told.data->'protocol')
        when told.type like 'agreement.%' then
          jsonb_build_object('agreementId', told.data->'agreementId', 'protocol', told.data->'protocol',
            'debtIds', (
              select jsonb_agg(one.debt_id order by one.position) from public.agreement_debts as one
              where one.agreement_id = (told.data->>'agreementId')::uuid))
          || case told.type
            when 'agreement.accepted' then jsonb_build_object('total', told.data->'total',
              'discount', told.data->'discount', 'instalments', told.data->'instalments')
            when 'agreement.instalment_paid' then jsonb_build_object('instalment', told.data->'instalment',
              'amount', told.data->'amount', 'paymentId', told.data->'paymentId')
            when 'agreement.broken' then
              jsonb_build_object('paid', told.data->'paid', 'then', told.data->'afterBreach')
            else jsonb_build_object('paid', told.data->'paid')
          end
        when told.type = 'payment.refunded' then
          jsonb_build_object('paymentId', told.data->'paymentId', 'refundedAmount', told.data->'refundedAmount',
            'reason', case told.data->>'change' when 'refunded' then 'refund' when 'undone' then 'undone'
              else 'chargeback' end)
        else jsonb_build_object('paymentId', told.data->'paymentId', 'amount', told.data->'amount')
          || case when told.data ? 'covers' then jsonb_build_object('covers', told.data->'covers') else '{}' end
      end, debt.before + row_number() over (partition by told.debt_id order by told.seq), place
    from told join counted as debt on debt.id = told.debt_id order by told.seq;
    return null;
  end $$;

revoke execute on function tell_of_timeline() from public;


create or replace function tell_of_receipt() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  begin
    with counted as (
      update public.debts set event_count = event_count + 1 where id = new.debt_id
      returning id, campaign_id, sandbox, event_count
    )
    insert into public.events (client_id, type, debt_id, campaign_id, at, sandbox, data, number, place)
    select new.client_id, 'receipt.revoked', debt.id, debt.campaign_id, new.revoked_at, debt.sandbox,
      jsonb_build_object('paymentId', new.charge_id, 'protocol', new.protocol, 'reason', new.revoked_reason),
      debt.event_count, public.feed_place()
    from counted as debt;
    return null;
  end $$;

revoke execute on function tell_of_receipt() from public;


create or replace function tell_of_campaign() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  begin
    insert into public.events (client_id, type, campaign_id, at, sandbox, data, number, place)
    values (new.client_id, 'campaign.status_changed', new.id, public.quita_now(), coalesce(new.sandbox, false),
      jsonb_build_object('status', new.status, 'previousStatus', old.status), new.event_count, public.feed_place());
    return null;
  end $$;

revoke execute on function tell_of_campaign() from public;


-- Queues the new events for the webhooks that want them, and wakes the workflow of each. A test event has its own delivery.
--
-- The row of the outbox that one webhook's changes share is not waited for: a transaction that waited for it would hold the
-- locks of its debts meanwhile. A transaction that does not get the row at once, or that may be long because its
-- statement changes many debts, adds a row of its own, and the webhook's workflow gets a signal more.
create or replace function queue_deliveries() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  declare
    target record;
    shared_key text;
    own_key text;
    waiting uuid;
  begin
    for target in
      select webhook.id, webhook.client_id, webhook.types, count(*) = 1 as single
      from (select client_id, type from added where type <> 'webhook.test') as told
      join public.webhooks as webhook on webhook.client_id = told.client_id and webhook.state = 'active'
        and (webhook.types is null or told.type = any (webhook.types))
      group by webhook.id order by webhook.id
    loop
      insert into public.webhook_deliveries (client_id, webhook_id, event_seq, next_attempt_at)
      select target.client_id, target.id, seq, public.quita_now() from added
      where client_id = target.client_id and type <> 'webhook.test'
        and (target.types is null or type = any (target.types))
      order by seq;

      shared_key := 'deliveriesDue:' || target.id;
      if target.single and pg_try_advisory_xact_lock(hashtextextended(shared_key, 0)) then
        select id into waiting from public.outbox where dedupe_key = shared_key and delivered_at is null
          for update skip locked;
        if found then
          update public.outbox set requests = requests + 1 where id = waiting;
          continue;
        end if;
        insert into public.outbox (kind, workflow, workflow_id, signal, payload, dedupe_key)
        values ('signal_with_start', 'deliver-webhooks', 'webhooks-' || target.id, 'deliveriesDue',
          jsonb_build_object('clientId', target.client_id, 'webhookId', target.id), shared_key)
        on conflict (dedupe_key) where delivered_at is null do nothing;
        continue when found;
      end if;
      own_key := shared_key || ':' || pg_current_xact_id()::text;
      insert into public.outbox (kind, workflow, workflow_id, signal, payload, dedupe_key)
      values ('signal_with_start', 'deliver-webhooks', 'webhooks-' || target.id, 'deliveriesDue',
        jsonb_build_object('clientId', target.client_id, 'webhookId', target.id), own_key)
      on conflict (dedupe_key) where delivered_at is null do update set requests = outbox.requests + 1;
    end loop;
    return null;
  end $$;

revoke execute on function queue_deliveries() from public;
