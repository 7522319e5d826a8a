import { Migration } from '@mikro-orm/migrations';

const TENANT_TABLES = [
  'api_keys',
  'campaign_days',
  'campaign_status_counts',
  'campaigns',
  'charges',
  'checkout_notices',
  'client_credentials',
  'clients',
  'debt_events',
  'debts',
  'email_confirmations',
  'identities',
  'messages',
  'password_resets',
  'payment_notifications',
  'receipt_deliveries',
  'receipts',
  'refresh_tokens',
  'sandbox_acts',
  'sandbox_outbox',
  'sessions',
];
const FOUND_BY_AUTHENTICATION = [
  'api_keys',
  'clients',
  'email_confirmations',
  'identities',
  'password_resets',
  'refresh_tokens',
  'sessions',
];

const signed = (setting: string): string => `( SELECT quita_scope('${setting}'::text) AS quita_scope)`;
const CLIENT = `(${signed('app.client_id')})::uuid`;
const DEBTS = `(string_to_array(${signed('app.debt_ids')}, ',')::uuid[])`;

/** The columns of `clients` except those that only the operator's verification may write. */
const CLIENT_COLUMNS =
  'name, email, plan, status, trial_ends_at, cnpj, segment, address, contact_email, password_hash, email_confirmed_at, confirm_email_by, updated_at';

/** The privileges that the API's statements use. The API has none on the outbox, the ledger and the suppressions. */
const API_RIGHTS: readonly string[] = [
  'select on api_keys, audit_log, campaign_days, campaign_status_counts, campaigns, charges, checkout_notices, client_credentials, clients, debt_events, debts, email_confirmations, identities, login_lockouts, login_sources, messages, password_resets, rate_limits, receipt_deliveries, receipts, refresh_tokens, sandbox_acts, sandbox_charges, sandbox_outbox, sessions',
  'insert on api_keys, audit_log, campaign_days, campaign_status_counts, campaigns, charges, checkout_notices, debt_events, debts, email_confirmations, identities, login_lockouts, login_sources, messages, password_resets, rate_limits, receipt_deliveries, receipts, refresh_tokens, sandbox_acts, sandbox_charges, sandbox_outbox, sessions',
  'update on api_keys, campaign_days, campaign_status_counts, campaigns, charges, checkout_notices, debts, email_confirmations, login_lockouts, login_sources, password_resets, rate_limits, receipt_deliveries, receipts, refresh_tokens, sandbox_acts, sandbox_charges, sessions',
  `insert (id, created_at, ${CLIENT_COLUMNS}) on clients`,
  `update (${CLIENT_COLUMNS}) on clients`,
  'delete on login_sources, rate_limits',
];

/** The worker searches across clients, but has no password, and writes only inside one client. */
const WORKER_RIGHTS: readonly string[] = [
  'select on api_keys, campaign_days, campaign_status_counts, campaigns, charges, checkout_notices, client_credentials, contact_ledger, debt_events, debts, email_confirmations, identities, login_lockouts, login_sources, messages, outbox, password_resets, payment_notifications, rate_limits, receipt_deliveries, receipts, refresh_tokens, sandbox_acts, sandbox_charges, sandbox_outbox, sessions, suppressions',
  `select (id, created_at, ${CLIENT_COLUMNS.replace(' password_hash,', '')}, verified_at, verified_name, verified_cnpj) on clients`,
  'select (seq, at) on audit_log',
  'insert on audit_log, campaign_days, campaign_status_counts, campaigns, charges, checkout_notices, client_credentials, contact_ledger, debt_events, debts, email_confirmations, messages, outbox, password_resets, receipt_deliveries, receipts, sandbox_acts, sandbox_charges, sandbox_outbox, suppressions',
  'update on campaign_days, campaign_status_counts, campaigns, charges, client_credentials, contact_ledger, debts, messages, outbox, payment_notifications, receipt_deliveries, receipts, sandbox_acts, sandbox_charges, sandbox_outbox',
  `insert (id, created_at, ${CLIENT_COLUMNS}) on clients`,
  `update (${CLIENT_COLUMNS.replace(' password_hash,', '')}) on clients`,
  // Expired rows are purged. An account whose address was never confirmed is deleted with all rows that belong to it.
  'delete on api_keys, audit_log, checkout_notices, client_credentials, clients, contact_ledger, email_confirmations, identities, login_lockouts, login_sources, outbox, password_resets, payment_notifications, rate_limits, refresh_tokens, sandbox_outbox, sessions',
];

/** The functions below may read only these columns. */
const FUNCTION_RIGHTS: readonly string[] = [
  'select (id, client_id, debt_id, provider_payment_id, provider_payment_key, attempt, status, amount_centavos, br_code, expires_at, paid_at, underpaid_at, duplicate) on charges',
  'select (id, client_id, campaign_id, sandbox, clock_offset_ms, status, wrong_person_at, original_amount_centavos) on debts',
  'select (charge_id, protocol, pdf, shortened_at) on receipts',
  'select (id, client_id, ended_at) on sessions',
  'select (id, status) on clients',
  'select (charge_id, signed_request), insert (client_id, charge_id, request_id, signed_request) on payment_notifications',
  'select (dedupe_key, delivered_at, requests, created_at), insert (id, kind, workflow, workflow_id, signal, payload, dedupe_key, available_at), update (requests) on outbox',
];

/**
 * SQL that is injected into a request can do everything that the request's login can do. Until now that was everything:
 * the login owned the database, could become quita_worker, and could set the scope that row security trusted.
 *
 * - Separate logins serve, which cannot take another role. `src/platform/database/logins.ts` creates them for each database.
 * - Row security accepts a scope only with a signature, by a key that the process has and that its login cannot read.
 * - Each role has the verbs and the columns that it uses. There are no default privileges for new tables.
 * - Functions with a role of their own run statements that span clients: notifications of payments, rows for the
 *   outbox, and the most frequent reads. Two reads use ids that cannot be guessed; payments of debts use a signed
 *   client.
 *
 * Functions that run with another role's rights name the schema of everything, because the caller sets the search path.
 * Functions with array parameters keep one generic plan, because a new plan for each call costs more than it saves.
 */
export class Migration20261122010755_logins extends Migration {
  override name = 'Migration20261122010755_logins';

  override up(): void {
    this.#makeRoles();
    this.#makeScope();
    this.#setPolicies();
    this.#makeFunctions();
    this.#grant();
  }

  #makeRoles(): void {
    // Roles belong to the whole server, so another database's migration may create them at the same moment.
    for (const role of ['quita_operator', 'quita_functions']) {
      this.addSql(`do $$
        begin
          begin
            create role ${role} nologin;
          exception when duplicate_object or unique_violation then null;
          end;
          if not pg_has_role(current_user, '${role}', 'set') then
            grant ${role} to current_user with inherit false, set true;
          end if;
        end $$;`);
      this.addSql(`grant usage on schema public to ${role};`);
    }
    this.addSql(`do $$
      begin
        if not pg_has_role('quita_operator', 'quita_worker', 'usage') then
          grant quita_worker to quita_operator with inherit true, set false;
        end if;
      exception when unique_violation or internal_error then null;
      end $$;`);
  }

  #makeScope(): void {
    this.addSql('create schema quita_private;');
    // The secret is the password of the login. The process and the database each derive the key from it.
    this.addSql(`create table quita_private.serving_logins (
        role text primary key,
        -- Whose logins these are: a copy of a database on the same server gets its own. Null: those of any copy.
        database_name text,
        login text not null,
        secret text not null
      );`);
    // The key of HMAC, combined with its two constants. The previous key stays valid while processes are restarted.
    this.addSql(`create table quita_private.scope_keys (
        login text not null,
        inner_key bytea not null,
        outer_key bytea not null,
        made_at timestamptz(3) not null default current_timestamp(3),
        primary key (login, inner_key)
      );`);
    // The key is that of session_user, which neither \`set role\` nor a function with another's rights changes.
    this.addSql(`create function quita_scope(setting text) returns text
      language plpgsql stable parallel safe security definer as $$
        declare
          given text := pg_catalog.current_setting(setting, true);
        begin
          if given is null or given operator(pg_catalog.=) '' then
            return null;
          end if;
          return (
            select pg_catalog.substr(given, 65) from quita_private.scope_keys k
            where k.login operator(pg_catalog.=) session_user::pg_catalog.text
              and pg_catalog."left"(given, 64) operator(pg_catalog.=) pg_catalog.encode(pg_catalog.sha256(
                k.outer_key operator(pg_catalog.||) pg_catalog.sha256(k.inner_key operator(pg_catalog.||)
                  pg_catalog.convert_to(setting operator(pg_catalog.||) ':' operator(pg_catalog.||)
                    pg_catalog.substr(given, 65), 'UTF8'))), 'hex')
            limit 1
          );
        end $$;`);
    // Serving processes check whether the schema is that of their version.
    this.addSql(`create function quita_applied_migrations() returns setof text
      language sql stable security definer as $$
        select m.name::pg_catalog.text from public.mikro_orm_migrations m
      $$;`);
  }

  #setPolicies(): void {
    for (const table of TENANT_TABLES) {
      const own = `${table === 'clients' ? 'id' : 'client_id'} = ${CLIENT}`;
      this.addSql(`alter policy "tenant" on "${table}" using (${own}) with check (${own});`);
      this.addSql(`alter policy "worker_search" on "${table}" using (${CLIENT} is null);`);
    }
    for (const table of FOUND_BY_AUTHENTICATION) {
      this.addSql(`alter policy "authentication" on "${table}" using (${signed('app.auth')} = 'on');`);
    }
    this.addSql(`alter policy "public_debt" on "debts" using (id = any ${DEBTS});`);
    this.addSql(`alter policy "public_debt" on "charges" using (debt_id = any ${DEBTS});`);
    this.addSql(`alter policy "public_receipt" on "receipts" using (protocol = ${signed('app.receipt_protocol')});`);
    this.addSql(`alter policy "own_entries" on "audit_log" using (client_id = ${CLIENT});`);
    this.addSql(`drop policy "add" on "audit_log";`);
    this.addSql(
      `create policy "add" on "audit_log" for insert to "quita_app" with check (client_id is null or client_id = ${CLIENT} or ${signed('app.auth')} = 'on');`,
    );
    this.addSql(`create policy "worker_add" on "audit_log" for insert to "quita_worker" with check (true);`);
    this.addSql(`drop policy "notified_charge" on "charges";`);
    for (const table of ['charges', 'clients', 'debts', 'payment_notifications', 'receipts', 'sessions']) {
      this.addSql(`create policy "functions_select" on "${table}" for select to "quita_functions" using (true);`);
    }
    this.addSql(
      `create policy "functions_insert" on "payment_notifications" for insert to "quita_functions" with check (true);`,
    );
  }

  #makeFunctions(): void {
    this.addSql('drop function note_payments(text[], text[], text, text, text, text, text, int);');
    // A repeated signed request is the same notification, in this batch or in an earlier one. The rows are written in
    // one order, so that two batches do not deadlock.
    this.addSql(`create function note_payments(payment_keys text[], request_ids text[], signed_requests text[],
        outbox_kind text, outbox_workflow text, workflow_id_prefix text, outbox_signal text, dedupe_prefix text,
        sandbox_max_wait int)
      returns void language plpgsql security definer set search_path = pg_catalog, pg_temp
      set plan_cache_mode = force_generic_plan as $$
        begin
        with told as (
          select distinct on (c.id, coalesce(given.signed_request, given.n::text))
            given.n, c.id, c.client_id, c.debt_id, given.request_id, given.signed_request
          from unnest(payment_keys, request_ids, signed_requests) with ordinality
              as given (payment_key, request_id, signed_request, n)
            join public.charges c on c.provider_payment_key = given.payment_key
          where given.signed_request is null or not exists (
            select from public.payment_notifications p
            where p.charge_id = c.id and p.signed_request = given.signed_request
          )
          order by c.id, coalesce(given.signed_request, given.n::text), given.n
        ), noted as (
          insert into public.payment_notifications (client_id, charge_id, request_id, signed_request)
          select client_id, id, request_id, signed_request from told order by n
        )
        insert into public.outbox (kind, workflow, workflow_id, signal, payload, dedupe_key)
        select outbox_kind, outbox_workflow, workflow_id_prefix || d.id, outbox_signal,
          jsonb_build_object('clientId', one.client_id, 'campaignId', d.campaign_id, 'debtId', d.id,
            'sandbox', d.sandbox, 'maxWaitMs', case when d.sandbox then sandbox_max_wait end,
            'offsetMs', d.clock_offset_ms, 'firstAt', null),
          dedupe_prefix || d.id
        from (select distinct debt_id, client_id from told) as one join public.debts d on d.id = one.debt_id
        order by d.id
        on conflict (dedupe_key) where delivered_at is null do update set requests = outbox.requests + 1;
        end $$;`);
    // When the API adds a row that names a client, it must be the client of the transaction.
    this.addSql(`create function add_outbox(ids uuid[], kinds text[], workflows text[], workflow_ids text[],
        signals text[], payloads jsonb[], dedupe_keys text[], moments timestamptz[])
      returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
        begin
          if pg_has_role(session_user, 'quita_app', 'usage') and public.quita_scope('app.auth') is null and exists (
            select from unnest(payloads) as payload
            where payload->>'clientId' <> coalesce(public.quita_scope('app.client_id'), '')
          ) then
            raise exception using errcode = '42501', message = 'The outbox row names another client';
          end if;
          -- In the order of the keys, so that two transactions with the same keys wait for each other, not for ever.
          insert into public.outbox (id, kind, workflow, workflow_id, signal, payload, dedupe_key, available_at)
          select id, kind, workflow, workflow_id, signal, payload, dedupe_key, coalesce(moment, current_timestamp(3))
          from unnest(ids, kinds, workflows, workflow_ids, signals, payloads, dedupe_keys, moments)
            as given (id, kind, workflow, workflow_id, signal, payload, dedupe_key, moment)
          order by dedupe_key
          on conflict (dedupe_key) where delivered_at is null do update set requests = outbox.requests + 1;
        end $$;`);
    // One statement answers all requests at once, without the cost of a scope. A caller that knows the id may know the
    // result: the client of the session, and the status that the debtor's page shows.
    this.addSql(`create function session_clients(ids uuid[])
      returns table (key uuid, id uuid, status text)
      language plpgsql stable security definer set search_path = pg_catalog, pg_temp
      set plan_cache_mode = force_generic_plan as $$
        #variable_conflict use_column
        begin
          return query select s.id, c.id, c.status
            from public.sessions s join public.clients c on c.id = s.client_id
            where s.id = any (ids) and s.ended_at is null;
        end $$;`);
    this.addSql(`create function checkout_states(ids uuid[])
      returns table (key uuid, debt_status text, wrong_person boolean, charge_status text)
      language plpgsql stable security definer set search_path = pg_catalog, pg_temp
      set plan_cache_mode = force_generic_plan as $$
        #variable_conflict use_column
        begin
          return query select d.id, d.status, d.wrong_person_at is not null, (
              select c.status from public.charges c where c.debt_id = d.id and c.provider_payment_id is not null
              order by c.attempt desc limit 1)
            from public.debts d where d.id = any (ids);
        end $$;`);
    // Programs poll the payment of a debt. The scope is checked once here and not once for each table.
    this.addSql(`create function payment_of(signed_client text, wanted uuid)
      returns table (debt_status text, wrong_person boolean, debt_amount_centavos bigint, payment_id uuid,
        provider_payment_id text, charge_status text, amount_centavos bigint, br_code text, expires_at timestamptz,
        paid_at timestamptz, underpaid_at timestamptz, receipt_protocol text)
      language plpgsql security definer set search_path = pg_catalog, pg_temp
      set plan_cache_mode = force_generic_plan as $$
        #variable_conflict use_column
        declare
          owner uuid;
        begin
          perform set_config('app.client_id', signed_client, true);
          owner := public.quita_scope('app.client_id')::uuid;
          return query select d.status, d.wrong_person_at is not null, d.original_amount_centavos, c.id,
              c.provider_payment_id, c.status, c.amount_centavos, c.br_code, c.expires_at, c.paid_at, c.underpaid_at,
              (select r.protocol from public.receipts r where r.charge_id = c.id
                and (r.pdf is not null or r.shortened_at is not null))
            from public.debts d left join lateral (
              select ch.id, ch.provider_payment_id, ch.status, ch.amount_centavos, ch.br_code, ch.expires_at, ch.paid_at,
                ch.underpaid_at
              from public.charges ch where ch.debt_id = d.id and ch.provider_payment_id is not null
              order by (ch.status = 'APPROVED' and not ch.duplicate) desc, ch.attempt desc limit 1
            ) c on true
            where d.client_id = owner and d.id = wanted;
        end $$;`);
    this.addSql(`create function outbox_backlog(out depth int, out oldest_seconds float8)
      language sql stable security definer set search_path = pg_catalog, pg_temp as $$
        select count(*)::int, coalesce(extract(epoch from now() - min(created_at)), 0)::float8
        from public.outbox where delivered_at is null
      $$;`);
  }

  #grant(): void {
    this.addSql('revoke create on schema public from public;');
    for (const role of ['quita_app', 'quita_worker']) {
      this.addSql(`alter default privileges in schema public revoke all on tables from ${role};`);
      this.addSql(`alter default privileges in schema public revoke all on sequences from ${role};`);
      this.addSql(`revoke all on all tables in schema public from ${role};`);
      this.addSql(`revoke all on all sequences in schema public from ${role};`);
    }
    for (const right of API_RIGHTS) this.addSql(`grant ${right} to quita_app;`);
    for (const right of WORKER_RIGHTS) this.addSql(`grant ${right} to quita_worker;`);
    for (const right of FUNCTION_RIGHTS) this.addSql(`grant ${right} to quita_functions;`);
    this.addSql(
      'grant usage on sequence audit_log_seq_seq, debt_events_seq_seq, sandbox_outbox_seq_seq to quita_app, quita_worker;',
    );
    this.addSql('grant usage on sequence payment_notifications_seq_seq to quita_functions;');
    this.addSql('grant update (verified_at, verified_name, verified_cnpj) on clients to quita_operator;');
    // A verification also confirms the e-mail address and invalidates the links that were mailed for it.
    this.addSql('grant update (used_at) on email_confirmations to quita_operator;');

    const functions = {
      'quita_scope(text)': 'quita_app, quita_worker, quita_functions',
      'quita_applied_migrations()': 'quita_app, quita_worker',
      'note_payments(text[], text[], text[], text, text, text, text, text, int)': 'quita_app',
      'add_outbox(uuid[], text[], text[], text[], text[], jsonb[], text[], timestamptz[])': 'quita_app, quita_worker',
      'session_clients(uuid[])': 'quita_app',
      'checkout_states(uuid[])': 'quita_app',
      'payment_of(text, uuid)': 'quita_app',
      'outbox_backlog()': 'quita_app, quita_worker',
    };
    for (const [name, roles] of Object.entries(functions)) {
      this.addSql(`revoke execute on function ${name} from public;`);
      this.addSql(`grant execute on function ${name} to ${roles};`);
    }
    // The new owner of a function must be allowed to create functions in that schema at this moment.
    this.addSql('grant create on schema public to quita_functions;');
    for (const name of Object.keys(functions).filter((one) => !one.startsWith('quita_'))) {
      this.addSql(`alter function ${name} owner to quita_functions;`);
    }
    this.addSql('revoke create on schema public from quita_functions;');
  }
}
