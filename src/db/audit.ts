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

/** Who acts for a client, and from where. */
export interface RequestSource {
  readonly ip: string;
  readonly by: 'session' | 'api_key' | 'identity_provider';
}

export interface RequestEntry {
  readonly clientId: string;
  readonly source: RequestSource;
  readonly action: AuditAction;
  readonly target?: string | null;
  /** Counts, states and ids. */
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
  | 'receipt_redrawn'
  | 'campaign_created'
  | 'campaign_launched'
  | 'campaign_paused'
  | 'campaign_resumed'
  | 'campaign_archived'
  | 'debts_imported'
  | 'debt_resumed'
  | 'debt_withdrawn'
  | 'receipt_issued'
  | 'receipt_sent'
  | 'receipts_regenerated'
  | 'sandbox_paid'
  | 'sandbox_message_sent'
  | 'command_used'
  | 'email_confirmation_asked'
  | 'email_confirmed'
  | 'access_revoked'
  | 'password_changed'
  | 'account_deleted'
  | 'receipt_shortened';

/** Commands run where the operator is; no address says more than that. */
const FROM_COMMAND = 'command';

// No `returning`: a role may not read an entry that is none of the current client's.
const INSERT = 'insert into audit_log (client_id, actor, action, target, ip, details) values ($1, $2, $3, $4, $5, $6)';

/** In the transaction of `em`: what is undone did not happen. */
export async function addAudit(em: EntityManager, entry: AuditEntry): Promise<void> {
  const { clientId, actor, action, target = null, details } = entry;
  const ip = entry.ip ?? (actor === 'operator' ? FROM_COMMAND : null);
  const json = details === undefined ? null : JSON.stringify(details);
  await runInTransaction(em, INSERT, [clientId, actor, action, target, ip, json]);
}

/** What a client's request did. */
export const addRequestAudit = (em: EntityManager, { source, details, ...entry }: RequestEntry): Promise<void> =>
  addAudit(em, { ...entry, actor: 'client', ip: source.ip, details: { by: source.by, ...details } });
