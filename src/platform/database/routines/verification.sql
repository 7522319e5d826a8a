-- Ends the operator's verification of a client when one of its campaigns gets a sender that the operator has not seen. It
-- is a function of a trigger, because the role that serves requests may not write this column. The client's own name is a
-- sender that was seen. What was verified last stays: messages name no other sender until the next check.

create or replace function end_verification_of_sender() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  begin
    update public.clients set verified_at = null
      where id = new.client_id and verified_at is not null and name <> new.sender_name
        and not (new.sender_name = any (coalesce(verified_senders, '{}')));
    return null;
  end $$;

revoke execute on function end_verification_of_sender() from public;


-- Stores what a client says of itself as verified. It is a function, because the role that serves requests may not write
-- these columns; only a transaction that is signed as an operator's, about this client, may call it. An earlier
-- verification keeps its moment.

create or replace function verify_client(client uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  begin
    if public.quita_scope('app.operator') is distinct from 'on'
      or public.quita_scope('app.client_id') is distinct from client::text then
      raise exception using errcode = '42501', message = 'Only an operator verifies a client';
    end if;
    update public.clients c set verified_at = coalesce(c.verified_at, public.quita_now()), verified_name = c.name,
      verified_cnpj = c.cnpj, verified_address = c.address,
      verified_senders = array(select distinct g.sender_name from public.campaigns g
        where g.client_id = client and g.sender_name is not null order by 1)
      where c.id = client;
  end $$;

revoke execute on function verify_client(uuid) from public;
grant execute on function verify_client(uuid) to quita_app;
