import { ANY_CLIENT } from '../queries/clients.ts';
import type { AccountDeps } from './deps.ts';

/**
 * Whether anybody has signed up. The first account that is seen ends the questions to the database. While it does not
 * answer, the console begins with the sign-in, as it does where accounts exist.
 */
export function hasAccounts({ db }: Pick<AccountDeps, 'db'>): () => Promise<boolean> {
  let seen = false;
  return async () => {
    if (seen) return true;
    const clients = await db.readPrepared({ auth: true }, ANY_CLIENT, {}).catch(() => null);
    if (clients !== null) seen = clients.length > 0;
    return seen || clients === null;
  };
}
