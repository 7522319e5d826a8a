-- Answers, over all clients, whether something that was pasted comes from a creditor of this deployment: a text by its
-- keyed hashes, a Pix code by two hashes of all of its characters, the page of a debt or of a person by its id, a document
-- by its protocol, a sender by the spellings of its number, address or word. It returns only what of these it is, whose it is
-- (null where several creditors share it), the month in Brazil in which it was sent or made, and whether it is a test.
-- Every question runs the same statement. A sandbox debt shows what its client has entered; everything else shows what
-- the operator has verified, as the texts do.

create or replace function origin_of_content(
  text_hashes bytea[], code_md5 text, code_sha256 bytea, debt uuid, page uuid, receipt text, agreement text, senders text[])
returns table (kind text, name text, cnpj text, month text, sandbox boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with found (place, kind, client_id, sandbox, at) as (
    select 1, 'message', t.client_id, t.sandbox, t.created_at from public.sent_texts t
      where t.hash = any (text_hashes) and t.created_at >= public.quita_now() - interval '180 days'
    union all
    select 2, 'pix', c.client_id, d.sandbox, c.created_at
      from public.charges c join public.debts d on d.id = c.debt_id
      where md5(c.br_code) = code_md5 and sha256(convert_to(c.br_code, 'UTF8')) = code_sha256
    union all
    select 3, 'link', d.client_id, d.sandbox, null from public.debts d where d.id = debt
    union all
    select 3, 'link', p.client_id, p.sandbox, null from public.debtor_pages p where p.id = page
    union all
    select 3, 'link', r.client_id, d.sandbox, null
      from public.receipts r join public.debts d on d.id = r.debt_id where r.protocol = receipt
    union all
    select 3, 'link', q.client_id, q.sandbox, null from public.annual_quittances q where q.protocol = receipt
    union all
    select 3, 'link', a.client_id, a.sandbox, null from public.agreements a where a.protocol = agreement
    union all
    select 4, 'sender', s.client_id, false, null from public.channel_senders s
      where s.replaced_at is null
        and case when s.shown_as ~ '[A-Za-z@]' then lower(s.shown_as)
          else regexp_replace(s.shown_as, '[^0-9]', '', 'g') end = any (senders)
  ), best as (
    select f.kind, f.sandbox from found f order by f.place, f.sandbox limit 1
  )
  select b.kind,
    case when count(distinct f.client_id) = 1
      then min(case when b.sandbox then c.name else coalesce(c.verified_name, c.name) end) end,
    case when count(distinct f.client_id) = 1
      then min(case when b.sandbox then c.cnpj else coalesce(c.verified_cnpj, c.cnpj) end) end,
    to_char(max(f.at) at time zone 'America/Sao_Paulo', 'YYYY-MM'),
    b.sandbox
  from best b join found f on f.kind = b.kind and f.sandbox = b.sandbox join public.clients c on c.id = f.client_id
  group by b.kind, b.sandbox;
$$;

revoke execute on function origin_of_content(bytea[], text, bytea, uuid, uuid, text, text, text[]) from public;
grant execute on function origin_of_content(bytea[], text, bytea, uuid, uuid, text, text, text[]) to quita_app;
