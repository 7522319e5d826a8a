import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit } from '../queries/add-audit.ts';
import { stepUpSession } from '../queries/second-factors.ts';
import { STEP_UP_MINUTES } from '../rules/second-factor.ts';
import type { AccountDeps } from './deps.ts';
import { proveFactor, wrongCode } from './prove-factor.ts';
import type { OwnCall } from './set-up-totp.ts';

/** Proves the member's second factor again, for some minutes of this one session. */
export const stepUp =
  (deps: Pick<AccountDeps, 'db' | 'cipher' | 'oneTimeCodes' | 'takeFromCodeRate'>) =>
  async ({ clientId, memberId, sessionId, source, code }: OwnCall & { readonly code: string }): Promise<void> => {
    // A token of an identity provider says itself when the person was asked.
    if (sessionId === undefined) throw new AppError('access_token_required');
    await deps.takeFromCodeRate(`${memberId}:${sessionId}`);
    const proved = await deps.db.account(clientId).transactional(async (tx) => {
      if (!(await proveFactor(tx, deps, { clientId, memberId, code, ip: source.ip }))) return false;
      if ((await stepUpSession(tx, sessionId, STEP_UP_MINUTES)) === undefined) throw new AppError('token_invalid');
      await addRequestAudit(tx, { clientId, source, action: 'session_stepped_up', target: sessionId });
      return true;
    });
    if (!proved) throw wrongCode();
  };
