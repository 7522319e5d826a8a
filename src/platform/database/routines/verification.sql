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
