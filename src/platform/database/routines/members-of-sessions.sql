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
        f.has_factor,
        c.require_second_factor and not f.has_factor and not s.factor_proved,
        coalesce(s.stepped_up_until > now(), false)
      from public.sessions s
        join public.clients c on c.id = s.client_id
        join public.members m on m.id = s.member_id
        cross join lateral (select
          exists (select from public.second_factors a where a.member_id = m.id and a.confirmed_at is not null)
          or exists (select from public.passkeys k where k.member_id = m.id) as has_factor) f
      where s.id = any (ids) and s.ended_at is null and m.left_at is null;
  end $$;

revoke execute on function members_of_sessions(uuid[]) from public;
grant execute on function members_of_sessions(uuid[]) to quita_app;
