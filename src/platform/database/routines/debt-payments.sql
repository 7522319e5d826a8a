-- Answers the payments of debts that programs of clients poll, for all requests that ask at the same time. Each request
-- brings the signed scope of its client; the signature is checked once for each client, and not once for each table. A
-- debt of another client is not found. The charge that settled the debt comes first, and otherwise the latest one that a
-- provider knows: a payment that the client received elsewhere shows only when it settled the debt. A debt that was
-- imported again has the payments of all its rows. A debt of an active agreement has the latest code of the agreement, on
-- whichever of its debts that stands; an instalment that was paid is not its payment. What it gets of the money in the end
-- is a payment of its own.

create or replace function debt_payments(signed_clients text[], wanted uuid[])
  returns table (client_id uuid, debt_id uuid, debt_status text, wrong_person boolean, debt_amount_centavos bigint,
    payment_id uuid, provider_payment_id text, charge_status text, amount_centavos bigint, br_code text,
    expires_at timestamptz, paid_at timestamptz, underpaid_at timestamptz, receipt_protocol text)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan as $$
    #variable_conflict use_column
    declare
      signed_client text;
      debts_of_client uuid[];
      owner uuid;
    begin
      for signed_client, debts_of_client in
        select given.client, array_agg(given.debt) from unnest(signed_clients, wanted) as given (client, debt) group by 1
      loop
        perform set_config('app.client_id', signed_client, true);
        owner := public.quita_scope('app.client_id')::uuid;
        return query select d.client_id, named.id, d.status, d.wrong_person_at is not null, d.original_amount_centavos, c.id,
            c.provider_payment_id, c.status, c.amount_centavos, c.br_code, c.expires_at, c.paid_at, c.underpaid_at,
            (select r.protocol from public.receipts r where r.charge_id = c.id
              and (r.pdf is not null or r.shortened_at is not null))
          from public.debts named join public.debts d on d.identity_id = named.identity_id and d.continued_by is null
          left join lateral (
            select * from (
              select own.id, own.provider_payment_id, own.status, own.amount_centavos, own.br_code, own.expires_at, own.paid_at,
                own.underpaid_at, own.duplicate, own.created_at, own.attempt
              from public.debts part join public.charges own on own.debt_id = part.id
              where part.identity_id = d.identity_id and own.agreement_id is null and d.status <> 'AGREEMENT'
                and (own.provider_payment_id is not null or own.status = 'APPROVED')
              union all
              select agreed.id, agreed.provider_payment_id, agreed.status, agreed.amount_centavos, agreed.br_code, agreed.expires_at, agreed.paid_at,
                agreed.underpaid_at, agreed.duplicate, agreed.created_at, agreed.attempt
              from public.charges agreed
              where agreed.agreement_id = d.agreement_id and agreed.status = 'PENDING'
                and agreed.provider_payment_id is not null and agreed.superseded_at is null
            ) ch
            order by (ch.status = 'APPROVED' and not ch.duplicate) desc, ch.created_at desc, ch.attempt desc limit 1
          ) c on true
          where named.client_id = owner and named.id = any (debts_of_client);
      end loop;
    end $$;

revoke execute on function debt_payments(text[], uuid[]) from public;
grant execute on function debt_payments(text[], uuid[]) to quita_app;
