import { Migration } from '@mikro-orm/migrations';

/**
 * A client's audit log is read by period and by action, newest first. An owner chooses how long conversations are kept,
 * which until now was the operator's alone.
 */
export class Migration20261127144253_audit_by_action extends Migration {
  override name = 'Migration20261127144253_audit_by_action';

  override up(): void {
    this.addSql(`drop index "audit_log_client";`);
    this.addSql(`create index "audit_log_client_action" on "audit_log" ("client_id", "action", "at", "seq");`);
    this.addSql(`create index "audit_log_client" on "audit_log" ("client_id", "at", "seq");`);
    this.addSql(`grant update (retention_days) on "clients" to quita_app;`);
  }
}
