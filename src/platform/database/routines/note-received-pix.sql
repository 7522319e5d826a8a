-- Brings forward the reading of the payments that came to an account, when a bank tells of one that no charge of this
-- service asked for. The bank is asked about it then; nothing of the notification is stored.

create or replace function note_received_pix(account uuid, txids text[])
returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  update public.client_credentials k set list_at = least(k.list_at, public.quita_now())
  where k.id = account and k.list_at is not null and exists (
    select from unnest(txids) as told (txid)
    where told.txid = '' or not exists (
      select from public.charges c where c.provider_payment_key = told.txid and c.provider = 'pix'));
$$;

revoke execute on function note_received_pix(uuid, text[]) from public;
grant execute on function note_received_pix(uuid, text[]) to quita_app;
