import { lockClient, setPassword, UNCONFIRMED_CLIENT } from '../queries/clients.ts';
import { endLocks } from '../queries/login-lockouts.ts';
import { confirmAddress, endEarlierAccess } from './confirm-address.ts';
import type { AccountDeps } from './deps.ts';
import { emailHash } from './login-lockout.ts';
import { newOpaqueToken } from './opaque-token.ts';

/**
 * Handles an identity provider's proof of an address that has an unconfirmed account, which another person may have
 * opened. The address becomes confirmed, and the sessions, the API key and the password are revoked, because that
 * person could come back with any of them. The identity is not linked: the owner enters by a password reset. Returns
 * whether an account was reclaimed.
 */
export async function reclaimAddress(
  { db, passwords }: Pick<AccountDeps, 'db' | 'passwords'>,
  { email, ip }: { readonly email: string; readonly ip: string },
): Promise<boolean> {
  const [client] = await db.readPrepared({ auth: true }, UNCONFIRMED_CLIENT, { email });
  if (client === undefined) return false;
  const clientId = client.id;
  const unknownPasswordHash = await passwords.hash(newOpaqueToken());
  return db.account(clientId).transactional(async (em) => {
    await lockClient(em, clientId);
    const by = { clientId, actor: 'identity_provider', ip } as const;
    if (!(await confirmAddress(em, by))) return false;
    await setPassword(em, clientId, unknownPasswordHash);
    await endLocks(em, emailHash(email));
    await endEarlierAccess(em, { ...by, email });
    return true;
  });
}
