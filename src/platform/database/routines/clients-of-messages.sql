-- Answers whose messages these are. An e-mail comes back to an address of the deployment, which all clients share, with
-- the signed id of the message that it answers.

create or replace function clients_of_messages(messages uuid[])
returns table (message uuid, client uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select m.id, m.client_id from public.messages m where m.id = any (messages);
$$;

revoke execute on function clients_of_messages(uuid[]) from public;
grant execute on function clients_of_messages(uuid[]) to quita_app;
