import type { Tx } from '../../../platform/database/tx.ts';
import type { AuditActor, AuditDetails } from '../tables/audit-log.ts';
import { insertAuditEntry } from './audit.ts';

export interface AuditEntry {
  /** Null when the entry concerns no account. */
  readonly clientId: string | null;
  readonly actor: AuditActor;
  readonly action: AuditAction;
  readonly target?: string | null;
  readonly ip?: string | null;
  readonly details?: AuditDetails;
  /** Who entered; everybody else is known by the request. */
  readonly memberId?: string;
}

/** How the client of a request was authenticated, and its IP address. */
export interface RequestSource {
  readonly ip: string;
  readonly by: 'session' | 'api_key' | 'identity_provider';
}

export interface RequestEntry {
  readonly clientId: string;
  readonly source: RequestSource;
  readonly action: AuditAction;
  readonly target?: string | null;
  /** They contain only counts, states and ids. */
  readonly details?: AuditDetails;
}

export type AuditAction =
  | 'sign_up'
  | 'login'
  | 'login_failed'
  | 'login_locked'
  | 'logout'
  | 'session_ended'
  | 'sessions_ended'
  | 'api_key_created'
  | 'api_key_revoked'
  | 'refresh_token_reused'
  | 'password_reset_asked'
  | 'password_reset'
  | 'identity_linked'
  | 'account_changed'
  | 'client_verified'
  | 'company_confirmed'
  | 'verification_asked'
  | 'client_connected'
  | 'channel_tested'
  | 'channel_changed'
  | 'channel_disconnected'
  | 'channel_templates_pushed'
  | 'status_changed'
  | 'erasure_asked'
  | 'privacy_erased'
  | 'retention_changed'
  | 'debt_listed'
  | 'listing_removed'
  | 'receipt_redrawn'
  | 'evidence_packed'
  | 'campaign_created'
  | 'campaign_changed'
  | 'message_text_changed'
  | 'own_rules_changed'
  | 'terms_added'
  | 'offers_policy_changed'
  | 'offer_made'
  | 'agreement_accepted'
  | 'agreement_cancelled'
  | 'agreement_resumed'
  | 'campaign_launched'
  | 'campaign_paused'
  | 'campaign_resumed'
  | 'campaign_archived'
  | 'debts_imported'
  | 'debt_answered'
  | 'debt_handed_back'
  | 'debt_resumed'
  | 'debt_withdrawn'
  | 'debts_changed'
  | 'audit_exported'
  | 'debts_exported'
  | 'settlements_exported'
  | 'debt_note_written'
  | 'debt_snoozed'
  | 'case_assigned'
  | 'saved_answer_created'
  | 'saved_answer_changed'
  | 'saved_answer_deleted'
  | 'draft_debts_deleted'
  | 'debt_changed'
  | 'rights_answered'
  | 'payment_recorded'
  | 'payment_undone'
  | 'received_payment_dismissed'
  | 'refund_asked'
  | 'settlement_file_sent'
  | 'receipt_issued'
  | 'receipt_sent'
  | 'annual_quittance_issued'
  | 'annual_quittance_shortened'
  | 'receipts_regenerated'
  | 'receipts_exported'
  | 'sandbox_paid'
  | 'sandbox_message_sent'
  | 'sandbox_clock_moved'
  | 'command_used'
  | 'email_confirmation_asked'
  | 'email_confirmed'
  | 'access_revoked'
  | 'password_changed'
  | 'account_deleted'
  | 'member_invited'
  | 'invitation_taken_back'
  | 'email_change_asked'
  | 'email_changed'
  | 'member_joined'
  | 'member_changed'
  | 'member_removed'
  | 'member_left'
  | 'second_factor_started'
  | 'second_factor_confirmed'
  | 'second_factor_removed'
  | 'second_factor_failed'
  | 'recovery_code_used'
  | 'session_stepped_up'
  | 'passkey_added'
  | 'passkey_removed'
  | 'passkey_copy_refused'
  | 'receipt_shortened'
  | 'webhook_created'
  | 'webhook_changed'
  | 'webhook_secret_rotated'
  | 'webhook_deleted'
  | 'webhook_disabled'
  | 'webhook_tested'
  | 'webhook_redelivered';

/** An operator's command has no IP address. */
const FROM_COMMAND = 'command';

/** The entry is stored if and only if the transaction of `tx` commits. */
export async function addAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const { clientId, actor, action, target = null, details = null, memberId } = entry;
  const ip = entry.ip ?? (actor === 'operator' ? FROM_COMMAND : null);
  await insertAuditEntry(tx, {
    clientId,
    actor,
    action,
    target,
    ip,
    details,
    ...(memberId === undefined ? {} : { memberId }),
  });
}

/** Records what a client's request did. */
export const addRequestAudit = (tx: Tx, { source, details, ...entry }: RequestEntry): Promise<void> =>
  addAudit(tx, { ...entry, actor: 'client', ip: source.ip, details: { by: source.by, ...details } });
