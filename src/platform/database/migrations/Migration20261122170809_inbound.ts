import { Migration } from '@mikro-orm/migrations';

/**
 * What channels post is stored: the client of an e-mail is found by the id of the message that it answers, a writer also
 * by the debtor's e-mail address, and the API may say that a sender's credentials have to be checked again.
 */
export class Migration20261122170809_inbound extends Migration {
  override name = 'Migration20261122170809_inbound';

  override up(): void {
    this.addSql(`create index "debts_email" on "debts" ("debtor_email", "client_id") where debtor_email is not null;`);

    this.addSql(`create policy "functions_select" on "messages" for select to "quita_functions" using (true);`);
    this.addSql('grant select (id, client_id) on messages to quita_functions;');
    this.addSql('grant update (checked_at) on channel_senders to quita_app;');
  }
}
