-- Answers whose sessions these are, for all requests that ask at the same time. The id of a session cannot be guessed, so
-- the function needs no scope and avoids the cost of checking one.

create or replace function session_clients(ids uuid[])
returns table (key uuid, id uuid, status text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan as $$
  #variable_conflict use_column
  begin
    return query select s.id, c.id, c.status
      from public.sessions s join public.clients c on c.id = s.client_id
      where s.id = any (ids) and s.ended_at is null;
  end $$;

revoke execute on function session_clients(uuid[]) from public;
grant execute on function session_clients(uuid[]) to quita_app;
