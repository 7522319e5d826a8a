-- Answers whose senders or accounts a channel's request names, before its signature is checked: the clients' secrets are
-- needed for that. Replaced senders still receive. A number has few clients, so the answer is bounded.

create or replace function clients_of_senders(of_channel text, names text[])
returns table (client uuid)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
  #variable_conflict use_column
  begin
    return query select distinct s.client_id
      from public.channel_senders s
      where s.channel = of_channel and (s.sender_id = any (names) or s.account_id = any (names))
      order by s.client_id limit 50;
  end $$;

revoke execute on function clients_of_senders(text, text[]) from public;
grant execute on function clients_of_senders(text, text[]) to quita_app;
