-- Answers whose API keys these are, for all requests that ask at the same time. Nobody can guess a key, so the function
-- needs no scope and avoids the cost of checking one. A use is old when it was stored so many hours ago.

create or replace function clients_of_api_keys(hashes text[], stored_hours int)
returns table (key text, id uuid, status text, use_is_old boolean)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan as $$
  #variable_conflict use_column
  begin
    return query select k.key_hash, c.id, c.status,
        k.last_used_at is null or k.last_used_at < public.quita_now() - make_interval(hours => stored_hours)
      from public.api_keys k join public.clients c on c.id = k.client_id
      where k.key_hash = any (hashes) and k.revoked_at is null;
  end $$;

revoke execute on function clients_of_api_keys(text[], int) from public;
grant execute on function clients_of_api_keys(text[], int) to quita_app;
