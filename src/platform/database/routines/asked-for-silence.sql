-- Answers whether one of these persons or phones has asked any client of the deployment for silence, or is known to be a
-- wrong number. Row security shows a client its own suppressions only. The keys are HMACs that only the process can make.

create or replace function asked_for_silence(person_keys text[], phone_keys text[])
returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from public.suppressions s where s.person_key = any (person_keys) and not s.sandbox)
    or exists (select from public.suppressions s where s.phone_key = any (phone_keys) and not s.sandbox);
$$;

revoke execute on function asked_for_silence(text[], text[]) from public;
grant execute on function asked_for_silence(text[], text[]) to quita_app;
