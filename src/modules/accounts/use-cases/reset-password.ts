import { addAudit } from '../queries/add-audit.ts';
import { setPassword } from '../queries/clients.ts';
import { endLocks } from '../queries/login-lockouts.ts';
import { PASSWORD_RESETS } from '../queries/one-time-tokens.ts';
import { endSessions } from '../queries/sessions.ts';
import { askForMail, mayNotify } from './ask-for-mail.ts';
import { confirmAddress, endEarlierAccess } from './confirm-address.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { linkRefused } from './link-refused.ts';
import { emailHash } from './login-lockout.ts';
import { hashToken } from './opaque-token.ts';

/**
 * Sets the password and ends the lockout and every session. The API key stays, unless the address is confirmed by this
 * reset.
 */
export const resetPassword =
  (deps: Pick<AccountDeps, 'db' | 'passwords' | 'workflows' | 'takeFromMailRate'>) =>
  async (input: { token: string; password: string; origin: Origin }): Promise<void> => {
    const { db, passwords } = deps;
    const [found] = await db.readPrepared({ auth: true }, PASSWORD_RESETS.OF_TOKEN, {
      tokenHash: hashToken(input.token),
    });
    if (found === undefined) throw linkRefused();
    const { id, clientId } = found;
    const passwordHash = await passwords.hash(input.password);
    const notify = await mayNotify(deps, clientId, 'password_changed');
    await db.account(clientId).transactional(async (tx) => {
      // The client's row is locked first, as by a login, so that the two wait for each other and do not deadlock.
      const client = await setPassword(tx, clientId, passwordHash);
      if ((await PASSWORD_RESETS.use(tx, id)) === undefined || client === undefined) throw linkRefused();
      await PASSWORD_RESETS.useAll(tx, clientId);
      await endSessions(tx, clientId);
      await endLocks(tx, emailHash(client.email));
      const by = { clientId, actor: 'client', ip: input.origin.ip } as const;
      if (await confirmAddress(tx, by)) await endEarlierAccess(tx, { ...by, email: client.email });
      if (notify) await askForMail(tx, deps.workflows, clientId, 'password_changed');
      await addAudit(tx, { ...by, action: 'password_reset' });
    });
  };
