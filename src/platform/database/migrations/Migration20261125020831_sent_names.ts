import { Migration } from '@mikro-orm/migrations';

/**
 * Messages carry the sender of a campaign to people as a known fact, so an operator has to have seen it: another sender
 * ends its check, as another name does. The senders of verified clients count as seen.
 *
 * Nobody is found by an e-mail address any more, because anybody can write any address into a mail. Its index goes.
 */
export class Migration20261125020831_sent_names extends Migration {
  override name = 'Migration20261125020831_sent_names';

  override up(): void {
    this.addSql('drop index "debts_email";');
    this.addSql('alter table "clients" add "verified_senders" text[] null;');
    for (const table of ['campaigns', 'clients']) this.addSql(`alter table "${table}" no force row level security;`);
    this.addSql(
      `update "clients" set "verified_senders" = array(select distinct "sender_name" from "campaigns" where "client_id" = "clients"."id" and "sender_name" is not null) where "verified_at" is not null;`,
    );
    for (const table of ['campaigns', 'clients']) this.addSql(`alter table "${table}" force row level security;`);
    this.addSql(
      `create policy "functions_update" on "clients" for update to "quita_functions" using (true) with check (true);`,
    );
    this.addSql(
      'grant select (name, verified_at, verified_senders), update (verified_at) on clients to quita_functions;',
    );
    this.addSql('grant select (verified_senders) on clients to quita_app, quita_worker;');
    this.addSql('grant update (verified_senders) on clients to quita_operator;');

    // `src/platform/database/routines/verification.sql` replaces it right after the migrations; the trigger needs its name.
    this.addSql('grant create on schema public to quita_functions;');
    this.addSql('set local role quita_functions;');
    this.addSql(
      'create function end_verification_of_sender() returns trigger language plpgsql as $$ begin return null; end $$;',
    );
    this.addSql('reset role;');
    this.addSql('revoke create on schema public from quita_functions;');
    this.addSql(
      `create trigger "campaigns_sender_named" after insert or update of sender_name on "campaigns" for each row when (new.sender_name is not null and new.sandbox is not true) execute function end_verification_of_sender();`,
    );
  }
}
