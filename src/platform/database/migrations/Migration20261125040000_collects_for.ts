import { Migration } from '@mikro-orm/migrations';

/**
 * Some laws bind only those who collect the debts of others, so a client says whose debts it collects. The operator has
 * checked it with the company: another answer ends the check, as another name does. Who is there already collects its
 * own debts, as every client did so far.
 */
export class Migration20261125040000_collects_for extends Migration {
  override name = 'Migration20261125040000_collects_for';

  override up(): void {
    this.addSql(`alter table "clients" add "collects_for" text not null default 'itself';`);
    this.addSql(
      `alter table "clients" add constraint "clients_collects_for_known" check (collects_for in ('itself', 'others'));`,
    );
    this.addSql('grant select (collects_for), update (collects_for) on clients to quita_app;');
    this.addSql('grant select (collects_for) on clients to quita_worker;');
    this.addSql(`create or replace function end_client_verification() returns trigger language plpgsql as $$
      begin
        if new.name is distinct from old.name or new.cnpj is distinct from old.cnpj
            or new.collects_for is distinct from old.collects_for
            or old.address is not null and new.address is distinct from old.address then
          new.verified_at := null;
        elsif old.verified_at is not null and old.address is null then
          new.verified_address := new.address;
        end if;
        return new;
      end $$;`);
    this.addSql('drop trigger "clients_end_verification" on "clients";');
    this.addSql(
      `create trigger "clients_end_verification" before update of name, cnpj, address, collects_for on "clients" for each row execute function end_client_verification();`,
    );
  }
}
