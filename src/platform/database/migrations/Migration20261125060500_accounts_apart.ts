import { Migration } from '@mikro-orm/migrations';

const AUTHENTICATED = `( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on'`;

/**
 * Injected SQL as the API could read the addresses and e-mails' hashes of everybody in the counters, end lockouts and
 * limits, see the simulated provider's charges of others, and confirm its own client's address. All that now takes the
 * signature of authentication, which transactions of clients' statements lack.
 */
export class Migration20261125060500_accounts_apart extends Migration {
  override name = 'Migration20261125060500_accounts_apart';

  override up(): void {
    for (const table of ['login_lockouts', 'login_sources', 'rate_limits', 'sandbox_charges']) {
      this.addSql(`alter table "${table}" enable row level security;`);
      this.addSql(`alter table "${table}" force row level security;`);
      this.addSql(
        `create policy "authentication" on "${table}" to "quita_app" using (${AUTHENTICATED}) with check (${AUTHENTICATED});`,
      );
      this.addSql(`create policy "worker" on "${table}" to "quita_worker" using (true) with check (true);`);
    }
    this.addSql(`create function require_authentication() returns trigger language plpgsql as $$
      begin
        if pg_has_role(current_user, 'quita_app', 'usage') and row_security_active('clients')
            and quita_scope('app.auth') is distinct from 'on' then
          raise insufficient_privilege using message = 'an address is confirmed by its own link alone';
        end if;
        return new;
      end $$;`);
    this.addSql(
      `create trigger "clients_confirmed_by_link" before update of email_confirmed_at on "clients" for each row when (new.email_confirmed_at is distinct from old.email_confirmed_at) execute function require_authentication();`,
    );
  }
}
