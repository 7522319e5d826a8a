import { addAudit } from '../queries/add-audit.ts';
import { lockClient } from '../queries/clients.ts';
import { endLocks } from '../queries/login-lockouts.ts';
import { setPassword } from '../queries/members.ts';
import { PASSWORD_RESETS } from '../queries/one-time-tokens.ts';
import { endSessions } from '../queries/sessions.ts';
import { askForMail, mayNotify } from './ask-for-mail.ts';
import { confirmAddress, endEarlierAccess } from './confirm-address.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { linkRefused } from './link-refused.ts';
import { emailHash } from './login-lockout.ts';
import { hashToken } from './opaque-token.ts';

/**
 * Sets the member's password and ends its lockout and its sessions. The API key stays, unless the address of the account
 * is confirmed by this reset.
 */
export const resetPassword =
  (deps: Pick<AccountDeps, 'db' | 'passwords' | 'releaseCases' | 'disconnectAll' | 'workflows' | 'takeFromMailRate'>) =>
  async (input: { token: string; password: string; origin: Origin }): Promise<void> => {
    const { db, passwords } = deps;
    const [found] = await db.readPrepared({ auth: true }, PASSWORD_RESETS.MEMBER_OF_TOKEN, {
      tokenHash: hashToken(input.token),
    });
    if (found === undefined) throw linkRefused();
    const { id, clientId, memberId } = found;
    const passwordHash = await passwords.hash(input.password);
    const notify = await mayNotify(deps, memberId, 'password_changed');
    await db.account(clientId).transactional(async (tx) => {
      // The client's row is locked first, as by a login, so that the two wait for each other and do not deadlock.
      await lockClient(tx, clientId);
      const member = await setPassword(tx, memberId, passwordHash);
      if ((await PASSWORD_RESETS.use(tx, id)) === undefined || member === undefined) throw linkRefused();
      const { email } = member;
      await PASSWORD_RESETS.useAll(tx, memberId);
      await endSessions(tx, { clientId, memberId });
      await endLocks(tx, emailHash(email));
      const by = { clientId, actor: 'client', ip: input.origin.ip } as const;
      if (await confirmAddress(tx, { ...by, proven: email }))
        await endEarlierAccess(tx, deps, { ...by, memberId, email });
      if (notify) await askForMail(tx, deps.workflows, clientId, 'password_changed', memberId);
      await addAudit(tx, { ...by, action: 'password_reset' });
    });
  };
