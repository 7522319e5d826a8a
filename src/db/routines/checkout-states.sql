-- Answers what the debtor's pages poll, for all pages that ask at the same time. The id of a debt cannot be guessed, so
-- the function needs no scope and avoids the cost of checking one.

create or replace function checkout_states(ids uuid[])
returns table (key uuid, debt_status text, wrong_person boolean, charge_status text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan as $$
  #variable_conflict use_column
  begin
    return query select d.id, d.status, d.wrong_person_at is not null, (
        select c.status from public.charges c where c.debt_id = d.id and c.provider_payment_id is not null
        order by c.attempt desc limit 1)
      from public.debts d where d.id = any (ids);
  end $$;

revoke execute on function checkout_states(uuid[]) from public;
grant execute on function checkout_states(uuid[]) to quita_app;
