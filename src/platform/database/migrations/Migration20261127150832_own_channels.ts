import { Migration } from '@mikro-orm/migrations';

const OWNER = `((( SELECT quita_scope('app.role'::text) AS quita_scope) = 'owner') OR (( SELECT quita_scope('app.auth'::text) AS quita_scope) = 'on'))`;

/**
 * An owner connects the senders of the company and pushes its templates, which only the operator's command did. Of the
 * API's transactions an owner's alone may add rows; channels still report states of those that are there.
 */
export class Migration20261127150832_own_channels extends Migration {
  override name = 'Migration20261127150832_own_channels';

  override up(): void {
    for (const table of ['channel_templates', 'channel_senders']) {
      this.addSql(
        `create policy "owner_insert" on "${table}" as restrictive for insert to "quita_app" with check (${OWNER});`,
      );
      this.addSql(`grant insert on "${table}" to quita_app;`);
    }
    this.addSql(`grant update (account_id, shown_as, replaced_at) on "channel_senders" to quita_app;`);
  }
}
