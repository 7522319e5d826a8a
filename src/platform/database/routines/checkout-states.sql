-- Answers what the debtor's pages poll, for all pages that ask at the same time. The id of a debt cannot be guessed, so
-- the function needs no scope and avoids the cost of checking one. The page of a row that an import has continued shows the
-- last row that names the same person, which is the current one unless the import has given the debt another person. Then
-- the debt is closed for this one, as `asPersonSees` says. Of a row whose phone was a stranger's only that row is answered.
-- The debts of an agreement are paid together: for each of them it answers what happened last to the agreement, a payment
-- or a code that was made.

create or replace function checkout_states(ids uuid[])
returns table (key uuid, debt_status text, wrong_person boolean, charge_status text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan as $$
  #variable_conflict use_column
  begin
    return query select named.id, case when d.continued_by is null then d.status else 'STOPPED' end, d.wrong_person_at is not null, case
        when d.status = 'AGREEMENT' then (
          select c.status from public.charges c
          where c.agreement_id = d.agreement_id and (c.provider_payment_id is not null or c.approved_at is not null)
          order by coalesce(c.approved_at, c.created_at) desc, c.attempt desc limit 1)
        else (
          select c.status from public.debts part join public.charges c on c.debt_id = part.id
          where part.identity_id = d.identity_id and c.provider_payment_id is not null
          order by c.created_at desc, c.attempt desc limit 1) end
      from public.debts named cross join lateral (
        select row.id, row.identity_id, row.continued_by, row.status, row.wrong_person_at, row.agreement_id
        from public.debts row
        where row.identity_id = named.identity_id and case when named.wrong_person_at is null
          then row.debtor_tax_id = named.debtor_tax_id and row.erased_person_key is not distinct from named.erased_person_key
          else row.id = named.id end
        order by row.continued_by is not null, row.created_at desc limit 1) d
      where named.id = any (ids);
  end $$;

revoke execute on function checkout_states(uuid[]) from public;
grant execute on function checkout_states(uuid[]) to quita_app;
