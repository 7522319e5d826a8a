-- Answers whose page this is. Nobody can guess the id of a page, so the question needs no scope.

create or replace function owner_of_debtor_page(page uuid)
returns table (client_id uuid, debtor_tax_id text, sandbox boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select p.client_id, p.debtor_tax_id, p.sandbox from public.debtor_pages p where p.id = page;
$$;

revoke execute on function owner_of_debtor_page(uuid) from public;
grant execute on function owner_of_debtor_page(uuid) to quita_app;
