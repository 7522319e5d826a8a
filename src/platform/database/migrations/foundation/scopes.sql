-- What row security, the defaults of columns and the serving processes stand on. Functions that run with another role's rights
-- name the schema of everything, because the caller sets the search path.

grant usage on schema public to quita_app, quita_worker, quita_operator, quita_functions;
revoke create on schema public from public;

create schema quita_private;

-- The secret is the password of the login. The process and the database each derive the key from it.
create table quita_private.serving_logins (
  role text primary key,
  -- Whose logins these are: a copy of a database on the same server gets its own. Null: those of any copy.
  database_name text,
  login text not null,
  secret text not null
);

-- The key of HMAC, combined with its two constants. The previous key stays valid while processes are restarted.
create table quita_private.scope_keys (
  login text not null,
  inner_key bytea not null,
  outer_key bytea not null,
  made_at timestamptz(3) not null default current_timestamp(3),
  primary key (login, inner_key)
);

-- Returns the value of a setting only when it is signed for this transaction, whose beginning nobody can choose or go back to.
-- The key is that of session_user, which neither `set role` nor a function with another's rights changes.
create function quita_scope(setting text) returns text
language plpgsql stable parallel safe security definer as $$
        declare
          given text := pg_catalog.current_setting(setting, true);
          value text;
          bound text;
        begin
          if given is null or given operator(pg_catalog.=) '' then
            return null;
          end if;
          value := pg_catalog.substr(given, 65);
          bound := setting operator(pg_catalog.||) ':' operator(pg_catalog.||)
            extract(epoch from pg_catalog.transaction_timestamp())::pg_catalog.text operator(pg_catalog.||) ':'
            operator(pg_catalog.||) value;
          return (
            select value from quita_private.scope_keys k
            where k.login operator(pg_catalog.=) session_user::pg_catalog.text
              and pg_catalog."left"(given, 64) operator(pg_catalog.=) pg_catalog.encode(pg_catalog.sha256(
                k.outer_key operator(pg_catalog.||) pg_catalog.sha256(k.inner_key operator(pg_catalog.||)
                  pg_catalog.convert_to(bound, 'UTF8'))), 'hex')
            limit 1
          );
        end $$;
revoke execute on function quita_scope(text) from public;
grant execute on function quita_scope(text) to quita_app, quita_worker, quita_functions;

-- `CLOCK_OFFSET` shifts the clock of the whole service, so moments of statements and defaults of columns must agree with
-- moments of the application. The function is stable, is inlined, and without the setting is the time of the transaction.
create function quita_now() returns timestamptz language sql stable parallel safe as $$
      select now() + make_interval(
        secs => coalesce(nullif(current_setting('quita.clock_offset_ms', true), ''), '0')::float8 / 1000)
    $$;

-- Serving processes check whether the schema is that of their version.
create function quita_applied_migrations() returns setof text
language sql stable security definer as $$
        select m.name::pg_catalog.text from public.mikro_orm_migrations m
      $$;
revoke execute on function quita_applied_migrations() from public;
grant execute on function quita_applied_migrations() to quita_app, quita_worker;
