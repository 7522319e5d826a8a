import { addRequestAudit, type RequestSource } from '../db/audit.ts';
import { addressSource } from '../db/login-sources.ts';
import { runInTransaction } from '../db/statement.ts';
import { AppError } from '../domain/errors.ts';
import { askForMail, mayNotify } from './ask-for-mail.ts';
import type { Origin, ServiceDeps } from './deps.ts';
import { endOtherSessions, requireOpenSession } from './open-session.ts';
import { USE_RESETS } from './reset-password.ts';
import { tryPassword } from './try-password.ts';

export interface ChangePasswordInput {
  readonly clientId: string;
  /** The caller's own, which goes on. */
  readonly sessionId: string | undefined;
  readonly current: string;
  readonly password: string;
  readonly origin: Origin;
  readonly source: RequestSource;
}

type Deps = Pick<
  ServiceDeps,
  'db' | 'passwords' | 'loginLockouts' | 'takeFromLoginRate' | 'takeFromMailRate' | 'workflows'
>;

interface Known {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string | null;
}

const FIND = {
  name: 'change_password_client',
  text: 'select id, email, password_hash as "passwordHash" from clients where id = $1',
};
// Of two at once the second finds another password than the one that it has checked.
const SET_PASSWORD = `
  update clients set password_hash = $3, updated_at = now() where id = $1 and password_hash = $2 returning id`;

// Not 401: that would tell a program that its access token is over.
const wrong = (): AppError =>
  new AppError('validation_failed', {
    errors: [{ pointer: '/current', code: 'password_wrong', message: 'This is not the current password' }],
  });

/**
 * A try at `current` is a try to log in, with the same lockout and the same rate: whoever has stolen an access token
 * must not find the password out here. Ends every other session; the API key stays.
 */
export const changePassword =
  (deps: Deps) =>
  async ({ clientId, sessionId, current, password, origin, source }: ChangePasswordInput): Promise<void> => {
    const { db, passwords, workflows } = deps;
    const [known] = await db.read<Known>({ clientId }, FIND, [clientId]);
    if (known === undefined) throw new AppError('not_found');
    if (known.passwordHash === null) throw new AppError('password_login_unavailable');
    const counter = await deps.loginLockouts.counterOf(known.email, [addressSource(origin.rateKey)]);
    await deps.takeFromLoginRate(origin.rateKey);

    const tried = { email: known.email, password: current, known, actor: 'client', ip: origin.ip } as const;
    const attempt = await tryPassword(deps, counter, tried);
    if (attempt === null) throw wrong();
    await attempt.succeeded();

    const passwordHash = await passwords.hash(password);
    const notify = await mayNotify(deps, clientId, 'password_changed');
    await db.tenant(clientId).transactional(async (em) => {
      // The client's row first, as a login and a reset do.
      const set = await runInTransaction(em, SET_PASSWORD, [clientId, known.passwordHash, passwordHash]);
      if (set.length === 0) throw wrong();
      await requireOpenSession(em, sessionId);
      await runInTransaction(em, USE_RESETS, [clientId]);
      await endOtherSessions(em, clientId, sessionId);
      if (notify) await askForMail(em, workflows, clientId, 'password_changed');
      await addRequestAudit(em, { clientId, source, action: 'password_changed' });
    });
  };
