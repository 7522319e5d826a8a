import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import { lockClient } from '../queries/clients.ts';
import { PASSWORD_OF_MEMBER, replacePassword } from '../queries/members.ts';
import { PASSWORD_RESETS } from '../queries/one-time-tokens.ts';
import { endSessions } from '../queries/sessions.ts';
import { askForMail, mayNotify } from './ask-for-mail.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { requireOpenSession } from './open-session.ts';
import { proveOwnPassword } from './try-password.ts';

export interface ChangePasswordInput {
  readonly clientId: string;
  readonly memberId: string;
  /** The caller's own session, which stays open. */
  readonly sessionId: string | undefined;
  readonly current: string;
  readonly password: string;
  readonly origin: Origin;
  readonly source: RequestSource;
}

type Deps = Pick<
  AccountDeps,
  'db' | 'passwords' | 'loginLockouts' | 'takeFromLoginRate' | 'takeFromMailRate' | 'workflows'
>;

// The status is not 401, because a program would take that for an expired access token.
const wrong = (): AppError =>
  new AppError('validation_failed', {
    errors: [{ pointer: '/current', code: 'password_wrong', message: 'This is not the current password' }],
  });

/**
 * Verifying `current` counts as a login attempt. The change ends every other session of the member. The API key stays valid.
 */
export const changePassword =
  (deps: Deps) =>
  async ({ clientId, memberId, sessionId, current, password, origin, source }: ChangePasswordInput): Promise<void> => {
    const { db, passwords, workflows } = deps;
    const [known] = await db.readPrepared({ clientId }, PASSWORD_OF_MEMBER, { memberId });
    if (known === undefined) throw new AppError('not_found');
    const verified = known.passwordHash;
    if (verified === null) throw new AppError('password_login_unavailable');
    if (!(await proveOwnPassword(deps, { known, password: current, origin }))) throw wrong();

    const passwordHash = await passwords.hash(password);
    const notify = await mayNotify(deps, memberId, 'password_changed');
    await db.account(clientId).transactional(async (tx) => {
      // The client's row is locked first, as by a login and a reset, so that they do not deadlock.
      await lockClient(tx, clientId);
      const replaced = await replacePassword(tx, memberId, { verified, passwordHash });
      if (replaced === undefined) throw wrong();
      await requireOpenSession(tx, sessionId);
      await PASSWORD_RESETS.useAll(tx, memberId);
      await endSessions(tx, { clientId, memberId, kept: sessionId });
      if (notify) await askForMail(tx, workflows, clientId, 'password_changed', memberId);
      await addRequestAudit(tx, { clientId, source, action: 'password_changed' });
    });
  };
