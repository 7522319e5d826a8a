import { addAudit } from '../db/audit.ts';
import { END_LOCK, emailHash } from '../db/login-lockout.ts';
import { runInTransaction } from '../db/statement.ts';
import { AppError } from '../domain/errors.ts';
import type { Origin, ServiceDeps } from './deps.ts';
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
const USE_OTHERS = 'update password_resets set used_at = now() where client_id = $1 and used_at is null';

const refused = (): AppError =>
  new AppError('validation_failed', {
    errors: [{ pointer: '/token', code: 'token_invalid', message: 'The link is not valid, was used, or has expired' }],
  });

/** Ends the lock and every session; the API key stays. */
export const resetPassword =
  ({ db, passwords }: Pick<ServiceDeps, 'db' | 'passwords'>) =>
  async (input: { token: string; password: string; origin: Origin }): Promise<void> => {
    const [found] = await db.read<Found>({ auth: true }, FIND, [hashToken(input.token)]);
    if (found === undefined) throw refused();
    const { id, clientId } = found;
    const passwordHash = await passwords.hash(input.password);
    await db.tenant(clientId).transactional(async (em) => {
      // The client's row first, as a login does: of the two, one waits for the other.
      const [client] = await runInTransaction<{ email: string }>(em, SET_PASSWORD, [clientId, passwordHash]);
      if ((await runInTransaction(em, USE, [id])).length === 0 || client === undefined) throw refused();
      await runInTransaction(em, USE_OTHERS, [clientId]);
      await endSessions(em, clientId);
      await runInTransaction(em, END_LOCK, [emailHash(client.email)]);
      await addAudit(em, { clientId, actor: 'client', action: 'password_reset', ip: input.origin.ip });
    });
  };
