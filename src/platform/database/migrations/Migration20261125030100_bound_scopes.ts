import { Migration } from '@mikro-orm/migrations';

/**
 * Injected SQL that shares a connection with other clients could keep the signed scope of another one for later, because
 * a signature was good for ever. A signature now holds for one transaction: it covers the moment at which the transaction
 * began, to the microsecond, which nobody can choose or go back to. A backend's pid would not do behind a pooler, and a
 * worker of a parallel query has another one.
 *
 * Processes of the version before sign without it. Their signatures are accepted for an hour, while they are replaced.
 *
 * The API may not change what decides about its own client: the plan.
 */
export class Migration20261125030100_bound_scopes extends Migration {
  override name = 'Migration20261125030100_bound_scopes';

  override up(): void {
    this.addSql('alter table quita_private.scope_keys add unbound_until timestamptz(3) null;');
    this.addSql(`update quita_private.scope_keys set unbound_until = current_timestamp + interval '1 hour';`);
    this.addSql(`create or replace function quita_scope(setting text) returns text
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
            where k.login operator(pg_catalog.=) session_user::pg_catalog.text and (
              pg_catalog."left"(given, 64) operator(pg_catalog.=) pg_catalog.encode(pg_catalog.sha256(
                k.outer_key operator(pg_catalog.||) pg_catalog.sha256(k.inner_key operator(pg_catalog.||)
                  pg_catalog.convert_to(bound, 'UTF8'))), 'hex')
              or case when k.unbound_until operator(pg_catalog.>) pg_catalog.now() then
                pg_catalog."left"(given, 64) operator(pg_catalog.=) pg_catalog.encode(pg_catalog.sha256(
                  k.outer_key operator(pg_catalog.||) pg_catalog.sha256(k.inner_key operator(pg_catalog.||)
                    pg_catalog.convert_to(setting operator(pg_catalog.||) ':' operator(pg_catalog.||) value, 'UTF8'))),
                  'hex') end)
            limit 1
          );
        end $$;`);

    for (const table of ['api_keys', 'campaigns']) {
      this.addSql(`create policy "functions_select" on "${table}" for select to "quita_functions" using (true);`);
    }
    this.addSql('grant select (key_hash, client_id, last_used_at, revoked_at) on api_keys to quita_functions;');
    this.addSql('grant select (id, client_id) on campaigns to quita_functions;');
    this.addSql('drop function note_payments(text[], text[], text[], text, text, text, text, text, int);');
    this.addSql('revoke update (plan) on clients from quita_app;');
  }
}
