import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit } from '../queries/add-audit.ts';
import { lockClient } from '../queries/clients.ts';
import { endChallenges } from '../queries/login-challenges.ts';
import { PASSWORD_OF_MEMBER } from '../queries/members.ts';
import { factorsOf, removeApp, removeRecoveryCodes } from '../queries/second-factors.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { requireOpenSession } from './open-session.ts';
import { proveFactor, wrongCode } from './prove-factor.ts';
import type { OwnCall } from './set-up-totp.ts';
import { proveOwnPassword } from './try-password.ts';

type Deps = Pick<
  AccountDeps,
  | 'db'
  | 'cipher'
  | 'oneTimeCodes'
  | 'passwords'
  | 'loginLockouts'
  | 'takeFromLoginRate'
  | 'takeFromCodeRate'
  | 'workflows'
>;

interface Removal extends OwnCall {
  /** Not asked of a member that has none. */
  readonly password: string | undefined;
  readonly code: string;
  readonly origin: Origin;
}

const wrongPassword = (): AppError =>
  new AppError('validation_failed', {
    errors: [{ pointer: '/password', code: 'password_wrong', message: 'This is not the password' }],
  });

/**
 * Removes the member's app, which takes both factors: a session that was left open is not enough. The recovery codes stay
 * while the member has a passkey.
 */
export const removeTotp =
  (deps: Deps) =>
  async (removal: Removal): Promise<void> => {
    const { clientId, memberId, sessionId, code, origin, source } = removal;
    await deps.takeFromCodeRate(`${memberId}:${sessionId ?? 'identity'}`);
    await provePassword(deps, removal);
    const proved = await deps.db.account(clientId).transactional(async (tx) => {
      await lockClient(tx, clientId);
      await requireOpenSession(tx, sessionId);
      const { app, passkey } = await factorsOf(tx, memberId);
      if (!app) throw new AppError('not_found');
      if (!(await proveFactor(tx, deps, { clientId, memberId, code, ip: origin.ip }))) return false;
      await removeApp(tx, { clientId, memberId });
      if (!passkey) await removeRecoveryCodes(tx, { clientId, memberId });
      await endChallenges(tx, { clientId, memberId });
      await addRequestAudit(tx, { clientId, source, action: 'second_factor_removed', target: memberId });
      return true;
    });
    if (!proved) throw wrongCode();
  };

/** Counts as a login attempt, with the same lockout and rate. */
async function provePassword(deps: Deps, { clientId, memberId, password, origin }: Removal): Promise<void> {
  const [known] = await deps.db.readPrepared({ clientId }, PASSWORD_OF_MEMBER, { memberId });
  if (known === undefined) throw new AppError('token_invalid');
  if (known.passwordHash === null) return;
  if (password === undefined) throw wrongPassword();
  if (!(await proveOwnPassword(deps, { known, password, origin }))) throw wrongPassword();
}
