import { AppError } from '../../../kernel/errors.ts';
import { addAudit } from '../queries/add-audit.ts';
import { endSession, endSessions } from '../queries/sessions.ts';
import { isInactive } from './account.ts';
import { findConsoleSession, requireConsoleSession } from './console-session.ts';
import type { AccountDeps, Origin } from './deps.ts';

/** Ends the session of the cookie, if it has one. */
export const endConsoleSession =
  (deps: Pick<AccountDeps, 'db'>) =>
  async (cookie: string | null, { ip }: Origin): Promise<void> => {
    const found = await findConsoleSession(deps, cookie);
    if (found === undefined) return;
    const { id: clientId, memberId, sessionId } = found;
    await deps.db.tenant(clientId).transactional(async (tx) => {
      if ((await endSession(tx, memberId, sessionId)) === undefined) return;
      await addAudit(tx, { clientId, actor: 'client', action: 'logout', ip });
    });
  };

/** Ends every session of the member, those of programs too. The API key stays. */
export const endAllSessions =
  (deps: Pick<AccountDeps, 'db'>) =>
  async (cookie: string | null, { ip }: Origin): Promise<void> => {
    const { id: clientId, memberId, status } = await requireConsoleSession(deps, cookie);
    if (isInactive(status)) throw new AppError('account_inactive');
    await deps.db.tenant(clientId).transactional(async (tx) => {
      await endSessions(tx, { clientId, memberId });
      await addAudit(tx, { clientId, actor: 'client', action: 'sessions_ended', ip });
    });
  };
