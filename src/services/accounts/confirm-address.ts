import type { EntityManager } from '@mikro-orm/postgresql';
import { addAudit } from '../../db/add-audit.ts';
import type { AuditActor } from '../../db/entities/audit-log.ts';
import { emailHash } from '../../db/login-lockout.ts';
import { revokeApiKeyOf } from '../../db/queries/api-keys.ts';
import { confirmEmailOf } from '../../db/queries/clients.ts';
import { forgetSources } from '../../db/queries/login-sources.ts';
import { EMAIL_CONFIRMATIONS } from '../../db/queries/one-time-tokens.ts';
import { endSessions } from '../../db/queries/sessions.ts';

interface Confirmation {
  readonly clientId: string;
  readonly actor: AuditActor;
  readonly ip: string | null;
}

/**
 * Confirms the address and returns false when it was confirmed before. It locks the client's row unless the caller has.
 */
export async function confirmAddress(em: EntityManager, { clientId, actor, ip }: Confirmation): Promise<boolean> {
  if ((await confirmEmailOf(em, clientId)) === undefined) return false;
  await EMAIL_CONFIRMATIONS.useAll(em, clientId);
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
  await revokeApiKeyOf(em, clientId);
  await endSessions(em, clientId);
  await forgetSources(em, emailHash(email));
  await addAudit(em, { clientId, actor, action: 'access_revoked', ip });
}
