import type { Tx } from '../../../platform/database/tx.ts';
import { addAudit } from '../queries/add-audit.ts';
import { revokeApiKeyOf } from '../queries/api-keys.ts';
import { confirmEmailOf } from '../queries/clients.ts';
import { deleteInvitations } from '../queries/invitations.ts';
import { forgetSources } from '../queries/login-sources.ts';
import { leaveAllBut, setRole } from '../queries/members.ts';
import { EMAIL_CONFIRMATIONS } from '../queries/one-time-tokens.ts';
import { removeSecondFactors } from '../queries/second-factors.ts';
import { endSessions } from '../queries/sessions.ts';
import type { AuditActor } from '../tables/audit-log.ts';
import type { AccountDeps } from './deps.ts';
import { emailHash } from './login-lockout.ts';

interface Confirmation {
  readonly clientId: string;
  readonly actor: AuditActor;
  readonly ip: string | null;
  /** The address that a member has proven; absent when the address of the account itself is confirmed. */
  readonly proven?: string;
}

/**
 * Confirms the address and returns false when it was confirmed before. It locks the client's row unless the caller has.
 */
export async function confirmAddress(tx: Tx, { clientId, actor, ip, proven }: Confirmation): Promise<boolean> {
  if ((await confirmEmailOf(tx, clientId, proven ?? null)) === undefined) return false;
  await EMAIL_CONFIRMATIONS.useAll(tx, clientId);
  await addAudit(tx, { clientId, actor, action: 'email_confirmed', ip });
  return true;
}

/**
 * Revokes all access that existed before the address was confirmed for the first time: the person who opened the
 * account may be somebody other than the owner of the address, and may have invited others. What that person has
 * connected ends too, or the money and the news of the account would go on to where that person has sent them. The
 * caller sets another password.
 */
export async function endEarlierAccess(
  tx: Tx,
  { releaseCases, disconnectAll }: Pick<AccountDeps, 'releaseCases' | 'disconnectAll'>,
  { clientId, memberId, actor, ip, email }: Confirmation & { readonly memberId: string; readonly email: string },
): Promise<void> {
  await revokeApiKeyOf(tx, clientId);
  await deleteInvitations(tx, clientId);
  await leaveAllBut(tx, clientId, memberId);
  await setRole(tx, memberId, 'owner');
  await releaseCases(tx, clientId);
  await disconnectAll(tx, clientId);
  // Whoever opened the account may have set one up, which would lock the owner of the address out.
  await removeSecondFactors(tx, { clientId });
  await endSessions(tx, { clientId });
  await forgetSources(tx, emailHash(email));
  await addAudit(tx, { clientId, actor, action: 'access_revoked', ip });
}
