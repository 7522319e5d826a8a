import { addAudit } from '../../db/audit.ts';
import { END_LOCKS, emailHash } from '../../db/login-lockout.ts';
import { runInTransaction } from '../../db/statement.ts';
import type { Origin, ServiceDeps } from '../deps.ts';
import { askForMail, mayNotify } from './ask-for-mail.ts';
import { confirmAddress, endEarlierAccess } from './confirm-address.ts';
import { linkRefused } from './link-refused.ts';
import { hashToken } from './opaque-token.ts';
import { endSessions } from './open-session.ts';

interface Found {
  readonly id: string;
  readonly clientId: string;
}

const FIND = {
  name: 'password_reset_by_hash',
  text: `
    select id, client_id as "clientId" from password_resets
    where token_hash = $1 and used_at is null and expires_at > now()`,
};

const SET_PASSWORD = 'update clients set password_hash = $2, updated_at = now() where id = $1 returning email';
const USE = `
  update password_resets set used_at = now()
  where id = $1 and used_at is null and expires_at > now() returning id`;
/** Invalidates the links that were mailed before the password changed. */
export const USE_RESETS = 'update password_resets set used_at = now() where client_id = $1 and used_at is null';

/**
 * Sets the password and ends the lockout and every session. The API key stays, unless the address is confirmed by this
 * reset.
 */
export const resetPassword =
  (deps: Pick<ServiceDeps, 'db' | 'passwords' | 'workflows' | 'takeFromMailRate'>) =>
  async (input: { token: string; password: string; origin: Origin }): Promise<void> => {
    const { db, passwords } = deps;
    const [found] = await db.read<Found>({ auth: true }, FIND, [hashToken(input.token)]);
    if (found === undefined) throw linkRefused();
    const { id, clientId } = found;
    const passwordHash = await passwords.hash(input.password);
    const notify = await mayNotify(deps, clientId, 'password_changed');
    await db.tenant(clientId).transactional(async (em) => {
      // The client's row is locked first, as by a login, so that the two wait for each other and do not deadlock.
      const [client] = await runInTransaction<{ email: string }>(em, SET_PASSWORD, [clientId, passwordHash]);
      if ((await runInTransaction(em, USE, [id])).length === 0 || client === undefined) throw linkRefused();
      await runInTransaction(em, USE_RESETS, [clientId]);
      await endSessions(em, clientId);
      await runInTransaction(em, END_LOCKS, [emailHash(client.email)]);
      const by = { clientId, actor: 'client', ip: input.origin.ip } as const;
      if (await confirmAddress(em, by)) await endEarlierAccess(em, { ...by, email: client.email });
      if (notify) await askForMail(em, deps.workflows, clientId, 'password_changed');
      await addAudit(em, { ...by, action: 'password_reset' });
    });
  };
