-- Writes the chain of each debt in the transaction of its entries, whatever statement adds them. A line covers the hash of
-- the line before it, and the key of the table (debt, seq) makes a fork impossible. Whoever writes about a debt holds the
-- lock of its row. See docs/evidence.md and docs/decisions/0082-evidence.md.
--
-- The triggers set `plan_cache_mode`, which holds for all that they call: the statements find rows by keys alone, so that a
-- plan made for the values is never better, and PostgreSQL would make five of them for each statement and connection.

-- A number as ECMAScript writes it, which RFC 8785 asks for: the shortest digits that give the same double. Of integers
-- beyond 2^53 PostgreSQL may choose other digits; no entry has one.
create or replace function canonical_number(value numeric) returns text
language plpgsql immutable parallel safe as $$
  declare
    shortest text;
    digits text;
    mantissa text;
    point int;
    sign text := case when value < 0 then '-' else '' end;
  begin
    if abs(value) < 1e15 and value = round(value, 6) and (value = 0 or abs(value) >= 1e-6) then
      return trim_scale(value)::text;
    end if;
    shortest := abs(value)::float8::text;
    if shortest = '0' then return '0'; end if;
    mantissa := split_part(shortest, 'e', 1);
    -- The value is 0.digits times ten to the power of `point`.
    point := length(split_part(mantissa, '.', 1)) + coalesce(nullif(split_part(shortest, 'e', 2), ''), '0')::int;
    digits := replace(mantissa, '.', '');
    point := point - (length(digits) - length(ltrim(digits, '0')));
    digits := rtrim(ltrim(digits, '0'), '0');
    return sign || case
      when point between length(digits) and 21 then rpad(digits, point, '0')
      when point between 1 and 21 then left(digits, point) || '.' || substr(digits, point + 1)
      when point between -5 and 0 then '0.' || repeat('0', -point) || digits
      else left(digits, 1) || case when length(digits) > 1 then '.' || substr(digits, 2) else '' end
        || 'e' || case when point > 0 then '+' else '-' end || abs(point - 1)::text
    end;
  end $$;

revoke execute on function canonical_number(numeric) from public;


-- Canonical JSON (RFC 8785). The names of members are ours and ASCII, so that the order of bytes is that of UTF-16.
create or replace function canonical_json(value jsonb) returns text
language plpgsql immutable parallel safe as $$
  begin
    case jsonb_typeof(value)
      when 'object' then return '{' || coalesce((
        select string_agg(to_json(key)::text || ':' || case when jsonb_typeof(member) in ('string', 'boolean', 'null')
          then member::text else public.canonical_json(member) end, ',' order by key collate "C")
        from jsonb_each(value) as each (key, member)), '') || '}';
      when 'array' then return '[' || coalesce((
        select string_agg(public.canonical_json(member), ',' order by place)
        from jsonb_array_elements(value) with ordinality as each (member, place)), '') || ']';
      when 'number' then return public.canonical_number((value #>> '{}')::numeric);
      -- PostgreSQL escapes what the RFC escapes, and nothing else.
      else return value::text;
    end case;
  end $$;

revoke execute on function canonical_json(jsonb) from public;


-- Adds a line. Time never goes back in a chain: an entry that was booked for an earlier moment says so in its content.
-- `adopted` marks what happened before the chain took it.
create or replace function add_evidence(of_client uuid, of_debt uuid, happened_at timestamptz, of_kind text, rest jsonb,
  adopted timestamptz) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
  declare
    moment constant text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
    last_seq int := 0;
    last_hash bytea := '';
    last_at timestamptz;
    line_at timestamptz := happened_at;
    canonical text;
    fresh_salt bytea;
    hash_of_content bytea;
  begin
    select seq, hash, at into last_seq, last_hash, last_at from public.evidence_lines
      where debt_id = of_debt order by seq desc limit 1;
    if not found then
      last_seq := 0;
      last_hash := '';
    elsif last_at > happened_at then
      line_at := last_at;
      rest := rest || jsonb_build_object('happenedAt', to_char(happened_at at time zone 'UTC', moment));
    end if;
    if adopted is not null then
      rest := rest || jsonb_build_object('adopted', to_char(adopted at time zone 'UTC', moment));
    end if;
    canonical := public.canonical_json(rest);
    -- Three UUIDs have more than 32 random bytes.
    fresh_salt := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
    hash_of_content := sha256(fresh_salt || convert_to(canonical, 'UTF8'));
    insert into public.evidence_lines (client_id, debt_id, seq, at, kind, content_hash, hash, salt, content)
    values (of_client, of_debt, last_seq + 1, line_at, of_kind, hash_of_content,
      sha256(convert_to('{"at":"' || to_char(line_at at time zone 'UTC', moment) || '","contentHash":"'
        || encode(hash_of_content, 'hex') || '","kind":"' || of_kind || '","previous":"' || encode(last_hash, 'hex')
        || '","seq":' || (last_seq + 1) || '}', 'UTF8')),
      fresh_salt, canonical);
  end $$;

revoke execute on function add_evidence(uuid, uuid, timestamptz, text, jsonb, timestamptz) from public;


-- The rest of an entry with the words that are stored beside it and the member who acted.
create or replace function evidence_of(of_kind text, data jsonb, of_member uuid) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
  declare
    words jsonb;
  begin
    if of_kind in ('message_sent', 'message_received') then
      select jsonb_build_object('text', text, 'delivery', delivery, 'author', case when staff then 'staff' end,
          'cutFrom', cut_from, 'memberId', case when staff then member_id end)
        into words from public.messages where id = (data->>'messageId')::uuid;
    elsif data ? 'noteId' then
      select jsonb_build_object(case of_kind when 'note' then 'text' else 'reason' end, text)
        into words from public.debt_notes where id = (data->>'noteId')::uuid;
    -- An entry about money that the client received elsewhere names the method.
    elsif data ? 'method' and data ? 'paymentId' then
      select jsonb_build_object('note', note) into words from public.charges where id = (data->>'paymentId')::uuid;
    end if;
    if of_member is not null then words := jsonb_build_object('memberId', of_member) || coalesce(words, '{}'); end if;
    return case when words is null then data else data || jsonb_strip_nulls(words) end;
  end $$;

revoke execute on function evidence_of(text, jsonb, uuid) from public;


-- Begins the chain of a debt that has none with what happened before: the steps that all debts of a campaign take at once,
-- of which the timeline stores no entries, and the entries from before the chain.
create or replace function begin_evidence(of_client uuid, of_debt uuid, before_seq bigint) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
  declare
    one record;
  begin
    perform from public.evidence_lines where debt_id = of_debt limit 1;
    if found then return; end if;
    for one in
      with events as (
        select seq, at, max(at) over (order by seq) as ordered, kind, data, member_id from public.debt_events
        where debt_id = of_debt and seq < before_seq
      )
      select at, ordered, seq, kind, data, member_id from events
      union all
      select at, at, place, kind, data, null from public.steps_of_debt(of_debt)
        where kind <> 'status_changed'
          or (select data->>'from' from events where kind = 'status_changed' order by seq limit 1) is distinct from 'IMPORTED'
      order by ordered, seq
    loop
      perform public.add_evidence(of_client, of_debt, one.at, one.kind,
        public.evidence_of(one.kind, one.data, one.member_id), public.quita_now());
    end loop;
  end $$;

revoke execute on function begin_evidence(uuid, uuid, bigint) from public;


-- Their places come before those of all entries.
create or replace function steps_of_debt(of_debt uuid)
returns table (at timestamptz, place bigint, kind text, data jsonb)
language sql stable set search_path = pg_catalog, pg_temp as $$
  select step.at, step.place, step.kind, step.data
  from public.debts as debt join public.campaigns as campaign on campaign.id = debt.campaign_id
  cross join lateral (values
    (debt.created_at, -3::bigint, 'imported', '{}'::jsonb),
    (greatest(campaign.launched_at, case when campaign.launched_at is not null then debt.created_at end), -2,
      'status_changed', '{"from": "IMPORTED", "to": "QUEUED"}'),
    (debt.scored_at, -1, 'scored', jsonb_build_object('score', debt.score))
  ) as step (at, place, kind, data)
  where debt.id = of_debt and step.at is not null
$$;

revoke execute on function steps_of_debt(uuid) from public;


create or replace function chain_timeline() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan as $$
  declare
    one record;
    begun uuid;
  begin
    for one in select seq, client_id, debt_id, at, kind, data, member_id from added order by debt_id, seq loop
      if begun is distinct from one.debt_id then
        perform public.begin_evidence(one.client_id, one.debt_id, one.seq);
        begun := one.debt_id;
      end if;
      perform public.add_evidence(one.client_id, one.debt_id, one.at, one.kind,
        public.evidence_of(one.kind, one.data, one.member_id), null);
    end loop;
    return null;
  end $$;

revoke execute on function chain_timeline() from public;


-- A change of delivery after the first outcome. One message may speak of several debts.
create or replace function chain_delivery() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan as $$
  declare
    debt record;
  begin
    for debt in
      select id, public.quita_now() + make_interval(secs => clock_offset_ms / 1000.0) as now from public.debts
      where id = any (new.also_about || new.debt_id) order by id for no key update
    loop
      perform public.begin_evidence(new.client_id, debt.id, 9223372036854775807);
      perform public.add_evidence(new.client_id, debt.id, debt.now::timestamptz(3), 'delivery_changed',
        jsonb_build_object('messageId', new.id, 'delivery', new.delivery), null);
    end loop;
    return null;
  end $$;

revoke execute on function chain_delivery() from public;


-- Makes the chain of a debt of the caller's client complete before it is packed: it begins here when nothing was written
-- since there are chains, and a step that came after its beginning is adopted.
create or replace function complete_evidence(of_debt uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  declare
    of_client uuid;
    late record;
  begin
    select client_id into of_client from public.debts
      where id = of_debt and client_id = public.quita_scope('app.client_id')::uuid for no key update;
    if not found then return; end if;
    perform public.begin_evidence(of_client, of_debt, 9223372036854775807);
    for late in
      select * from public.steps_of_debt(of_debt) as step
      where step.kind <> 'imported' and not exists (
        select from public.evidence_lines as line
        where line.debt_id = of_debt and line.kind = step.kind and coalesce((line.content::jsonb)->>'happenedAt',
            to_char(line.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          = to_char(step.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        and (step.kind <> 'status_changed' or 'IMPORTED' is distinct from (
          select data->>'from' from public.debt_events
          where debt_id = of_debt and kind = 'status_changed' order by seq limit 1))
      order by step.place
    loop
      perform public.add_evidence(of_client, of_debt, late.at, late.kind, late.data, public.quita_now());
    end loop;
  end $$;

revoke execute on function complete_evidence(uuid) from public;
grant execute on function complete_evidence(uuid) to quita_app;
