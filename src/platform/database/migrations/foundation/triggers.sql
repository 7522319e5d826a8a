-- The functions of triggers, which the tables need at their creation.

-- A verification ends when what was verified changes. This is a trigger, because the role that serves requests may not write
-- these columns. An address that comes after the verification belongs to it.
create function end_client_verification() returns trigger language plpgsql as $$
      begin
        if new.name is distinct from old.name or new.cnpj is distinct from old.cnpj
            or new.collects_for is distinct from old.collects_for
            or old.address is not null and new.address is distinct from old.address then
          new.verified_at := null;
        elsif old.verified_at is not null and old.address is null then
          new.verified_address := new.address;
        end if;
        return new;
      end $$;

-- Injected SQL must not confirm its own client's address.
create function require_authentication() returns trigger language plpgsql as $$
      begin
        if pg_has_role(current_user, 'quita_app', 'usage') and row_security_active('clients')
            and quita_scope('app.auth') is distinct from 'on' then
          raise insufficient_privilege using message = 'an address is confirmed by its own link alone';
        end if;
        return new;
      end $$;

-- `src/platform/database/routines` replaces these right after the migrations; the triggers need their names.
grant create on schema public to quita_functions;
set local role quita_functions;
create function count_event() returns trigger language plpgsql as $$ begin return new; end $$;
create function tell_of_debts() returns trigger language plpgsql as $$ begin return null; end $$;
create function tell_of_timeline() returns trigger language plpgsql as $$ begin return null; end $$;
create function tell_of_receipt() returns trigger language plpgsql as $$ begin return null; end $$;
create function tell_of_campaign() returns trigger language plpgsql as $$ begin return null; end $$;
create function queue_deliveries() returns trigger language plpgsql as $$ begin return null; end $$;
create function end_verification_of_sender() returns trigger language plpgsql as $$ begin return null; end $$;
reset role;
revoke create on schema public from quita_functions;
