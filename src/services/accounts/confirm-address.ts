import type { EntityManager } from '@mikro-orm/postgresql';
import { addAudit } from '../../db/audit.ts';
import type { AuditActor } from '../../db/entities/audit-log.ts';
import { emailHash } from '../../db/login-lockout.ts';
import { FORGET_SOURCES } from '../../db/login-sources.ts';
import { runInTransaction } from '../../db/statement.ts';
import { REVOKE_KEY } from './create-api-key.ts';
import { endSessions } from './open-session.ts';

const CONFIRM = `
  update clients set email_confirmed_at = now(), confirm_email_by = null, updated_at = now()
  where id = $1 and email_confirmed_at is null returning id`;
const USE_ALL = 'update email_confirmations set used_at = now() where client_id = $1 and used_at is null';

interface Confirmation {
  readonly clientId: string;
  readonly actor: AuditActor;
  readonly ip: string | null;
}

/**
 * Confirms the address and returns false when it was confirmed before. It locks the client's row unless the caller has.
 */
export async function confirmAddress(em: EntityManager, { clientId, actor, ip }: Confirmation): Promise<boolean> {
  if ((await runInTransaction(em, CONFIRM, [clientId])).length === 0) return false;
  await runInTransaction(em, USE_ALL, [clientId]);
  await addAudit(em, { clientId, actor, action: 'email_confirmed', ip });
  return true;
}

/**
 * Revokes all access that existed before the address was confirmed for the first time: the person who opened the
 * account may be somebody other than the owner of the address. The caller sets another password.
 */
export async function endEarlierAccess(
  em: EntityManager,
  { clientId, actor, ip, email }: Confirmation & { readonly email: string },
): Promise<void> {
  await runInTransaction(em, REVOKE_KEY, [clientId]);
  await endSessions(em, clientId);
  await runInTransaction(em, FORGET_SOURCES, [emailHash(email)]);
  await addAudit(em, { clientId, actor, action: 'access_revoked', ip });
}
