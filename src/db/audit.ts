import type { EntityManager } from '@mikro-orm/postgresql';
import type { AuditActor, AuditDetails } from './entities/audit-log.ts';
import { runInTransaction } from './statement.ts';

export interface AuditEntry {
  /** Null where no account is concerned. */
  readonly clientId: string | null;
  readonly actor: AuditActor;
  readonly action: AuditAction;
  readonly target?: string | null;
  readonly ip?: string | null;
  readonly details?: AuditDetails;
}

export type AuditAction =
  | 'sign_up'
  | 'login'
  | 'login_failed'
  | 'login_locked'
  | 'logout'
  | 'api_key_created'
  | 'api_key_revoked'
  | 'refresh_token_reused'
  | 'password_reset_asked'
  | 'password_reset'
  | 'identity_linked'
  | 'account_changed'
  | 'client_verified'
  | 'client_connected'
  | 'status_changed'
  | 'privacy_erased'
  | 'receipt_redrawn';

// No `returning`: the roles that serve may not read what they wrote.
const INSERT = 'insert into audit_log (client_id, actor, action, target, ip, details) values ($1, $2, $3, $4, $5, $6)';

/** In the transaction of `em`: what is undone did not happen. */
export async function addAudit(em: EntityManager, entry: AuditEntry): Promise<void> {
  const { clientId, actor, action, target = null, ip = null, details } = entry;
  const json = details === undefined ? null : JSON.stringify(details);
  await runInTransaction(em, INSERT, [clientId, actor, action, target, ip, json]);
}
