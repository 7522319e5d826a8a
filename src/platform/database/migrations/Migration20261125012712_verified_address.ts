import { Migration } from '@mikro-orm/migrations';

/**
 * A change of name, CNPJ or address ends the operator's check, and until the next one no real person is contacted. What
 * was verified last is kept, because receipts, pages and answers go on and name the creditor as it was verified. An
 * address that is entered for the first time belongs to the check that is in force.
 */
export class Migration20261125012712_verified_address extends Migration {
  override name = 'Migration20261125012712_verified_address';

  override up(): void {
    this.addSql(`alter table "clients" add "verified_address" jsonb null;`);
    this.addSql(`update "clients" set "verified_address" = "address" where "verified_at" is not null;`);
    this.addSql('grant select (verified_address) on clients to quita_app, quita_worker;');
    this.addSql('grant update (verified_address) on clients to quita_operator;');
    this.addSql(`create or replace function end_client_verification() returns trigger language plpgsql as $$
      begin
        if new.name is distinct from old.name or new.cnpj is distinct from old.cnpj
            or old.address is not null and new.address is distinct from old.address then
          new.verified_at := null;
        elsif old.verified_at is not null and old.address is null then
          new.verified_address := new.address;
        end if;
        return new;
      end $$;`);
    this.addSql('drop trigger "clients_end_verification" on "clients";');
    this.addSql(
      `create trigger "clients_end_verification" before update of name, cnpj, address on "clients" for each row execute function end_client_verification();`,
    );
  }
}
