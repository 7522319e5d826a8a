-- Answers whose sessions these are, for all requests that ask at the same time. The id of a session cannot be guessed, so
-- the function needs no scope and avoids the cost of checking one. The role is read here, so that another one binds with
-- the next request, and what the session has to prove of the member's second factor, in real time.

create or replace function members_of_sessions(ids uuid[])
returns table (key uuid, id uuid, status text, member_id uuid, member_name text, role text,
  has_factor boolean, lacks_factor boolean, stepped_up boolean)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan as $$
  #variable_conflict use_column
  begin
    return query select s.id, c.id, c.status, m.id, m.name, m.role,
        f.id is not null,
        c.require_second_factor and f.id is null and not s.factor_proved,
        coalesce(s.stepped_up_until > now(), false)
      from public.sessions s
        join public.clients c on c.id = s.client_id
        join public.members m on m.id = s.member_id
        left join public.second_factors f on f.member_id = m.id and f.confirmed_at is not null
      where s.id = any (ids) and s.ended_at is null and m.left_at is null;
  end $$;

revoke execute on function members_of_sessions(uuid[]) from public;
grant execute on function members_of_sessions(uuid[]) to quita_app;
