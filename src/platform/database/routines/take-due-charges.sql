-- Takes charges about which the provider has to be asked, for all clients at once, and keeps other runs from taking them
-- until `leased_until`. The clients take turns in the order of their ids, after `after_client`: each gets the same share
-- of `most`, however many of its charges are due, its most overdue charges first. An account that does not answer is
-- left out until the moment of its next question. An account without credentials of its own has the key ''. The senders
-- of a client are kept beside its accounts, and no charge is made at them.

create or replace function take_due_charges(due_by timestamptz, leased_until timestamptz, most int, after_client uuid,
  without_clients uuid[])
returns table (id uuid, client_id uuid, debt_id uuid, provider text, account_id text, account_failures int,
  provider_payment_id text, amount_centavos bigint, created_at timestamptz, expires_at timestamptz, failures int,
  superseded boolean, debt_status text, wrong_person boolean)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan as $$
  #variable_conflict use_column
  begin
  return query
  with accounts as materialized (
    select c.id as client_id, null as provider, '' as account_key, 0 as account_failures from public.clients c
    where c.id <> all (without_clients)
    union all
    select k.client_id, k.purpose, k.account_id, k.ask_failures from public.client_credentials k
    where (k.ask_from is null or k.ask_from <= due_by)
      and k.client_id <> all (without_clients)
  ), due_accounts as materialized (
    select a.client_id, a.provider, a.account_key, a.account_failures,
      dense_rank() over (order by a.client_id <= after_client, a.client_id) as turn
    from accounts a
    where exists (select from public.charges c where c.client_id = a.client_id
      and coalesce(c.account_id, '') = a.account_key and c.ask_at <= due_by
      and (a.provider is null or c.provider = a.provider))
  ), shares as materialized (
    select greatest(1, most / greatest(1, count(distinct d.client_id)))::int as share from due_accounts d
  ), ranked as (
    select due.id, d.turn, d.account_failures,
      row_number() over (partition by d.client_id order by due.ask_at, due.id) as rank
    from due_accounts d cross join shares s cross join lateral (
      select c.id, c.ask_at from public.charges c
      where c.client_id = d.client_id and coalesce(c.account_id, '') = d.account_key and c.ask_at <= due_by
        and (d.provider is null or c.provider = d.provider)
      order by c.ask_at limit s.share
    ) due
    where d.turn <= most
  ), picked as materialized (
    select r.id, r.turn, r.account_failures, r.rank from ranked r cross join shares s where r.rank <= s.share
  ), free as materialized (
    select c.id from public.charges c where c.id = any (array(select p.id from picked p)) and c.ask_at <= due_by
    order by c.id for update skip locked
  ), taken as (
    update public.charges c set ask_at = leased_until from free where c.id = free.id
    returning c.id, c.client_id, c.debt_id, c.provider, c.account_id, c.provider_payment_id, c.amount_centavos,
      c.created_at, c.expires_at, c.ask_failures, c.superseded_at is not null as superseded
  )
  select t.id, t.client_id, t.debt_id, t.provider, t.account_id, p.account_failures, t.provider_payment_id,
    t.amount_centavos, t.created_at, t.expires_at, t.ask_failures, t.superseded, d.status,
    d.wrong_person_at is not null
  from taken t join picked p on p.id = t.id join public.debts row on row.id = t.debt_id
    -- The current row decides whether the code of an earlier one may still be paid.
    join public.debts d on d.identity_id = row.identity_id and d.continued_by is null
  order by p.rank, p.turn;
  end $$;

revoke execute on function take_due_charges(timestamptz, timestamptz, int, uuid, uuid[]) from public;
grant execute on function take_due_charges(timestamptz, timestamptz, int, uuid, uuid[]) to quita_worker;
