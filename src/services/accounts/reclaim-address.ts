import { END_LOCKS, emailHash } from '../../db/login-lockout.ts';
import { runInTransaction } from '../../db/statement.ts';
import type { ServiceDeps } from '../deps.ts';
import { confirmAddress, endEarlierAccess } from './confirm-address.ts';
import { LOCK_CLIENT } from './create-api-key.ts';
import { newOpaqueToken } from './opaque-token.ts';

const UNCONFIRMED = {
  name: 'unconfirmed_by_email',
  text: 'select id from clients where email = $1 and email_confirmed_at is null',
};
const SET_PASSWORD = 'update clients set password_hash = $2, updated_at = now() where id = $1';

/**
 * Handles an identity provider's proof of an address that has an unconfirmed account, which another person may have
 * opened. The address becomes confirmed, and the sessions, the API key and the password are revoked, because that
 * person could come back with any of them. The identity is not linked: the owner enters by a password reset. Returns
 * whether an account was reclaimed.
 */
export async function reclaimAddress(
  { db, passwords }: Pick<ServiceDeps, 'db' | 'passwords'>,
  { email, ip }: { readonly email: string; readonly ip: string },
): Promise<boolean> {
  const [client] = await db.read<{ id: string }>({ auth: true }, UNCONFIRMED, [email]);
  if (client === undefined) return false;
  const clientId = client.id;
  const unknownPasswordHash = await passwords.hash(newOpaqueToken());
  return db.tenant(clientId).transactional(async (em) => {
    await runInTransaction(em, LOCK_CLIENT, [clientId]);
    const by = { clientId, actor: 'identity_provider', ip } as const;
    if (!(await confirmAddress(em, by))) return false;
    await runInTransaction(em, SET_PASSWORD, [clientId, unknownPasswordHash]);
    await runInTransaction(em, END_LOCKS, [emailHash(email)]);
    await endEarlierAccess(em, { ...by, email });
    return true;
  });
}
