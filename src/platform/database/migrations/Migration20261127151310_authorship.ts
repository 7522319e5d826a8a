import { Migration } from '@mikro-orm/migrations';

const TABLES = ['audit_log', 'debt_notes', 'messages', 'charges', 'refunds', 'debt_events'];

/**
 * What members write names them: the column's default reads the signed setting of the transaction, so that no statement
 * passes the member. Rows from before, and those of API keys, of the service and of operators, name nobody. An operator's
 * command writes audit entries too, so its role may read the setting, which it never has.
 */
export class Migration20261127151310_authorship extends Migration {
  override name = 'Migration20261127151310_authorship';

  override up(): void {
    for (const table of TABLES) {
      // Two steps: a default that is not constant would make PostgreSQL write every row of the table again.
      this.addSql(`alter table "${table}" add "member_id" uuid null;`);
      this.addSql(
        `alter table "${table}" alter column "member_id" set default (quita_scope('app.member'::text))::uuid;`,
      );
    }
    this.addSql('grant execute on function quita_scope(text) to quita_operator;');
  }
}
