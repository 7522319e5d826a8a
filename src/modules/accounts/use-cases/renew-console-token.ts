import { AppError } from '../../../kernel/errors.ts';
import { prolongConsoleSession } from '../queries/console-sessions.ts';
import { isInactive, summaryOf } from './account.ts';
import { type ConsoleToken, requireConsoleSession } from './console-session.ts';
import type { AccountDeps, Origin } from './deps.ts';

/**
 * Issues a new access token for the console. The cookie stays the same, so that two tabs may ask at once, and an answer
 * that is lost on its way ends nothing.
 */
export const renewConsoleToken =
  (deps: Pick<AccountDeps, 'db' | 'accessTokens'>) =>
  async (cookie: string | null, origin: Origin): Promise<ConsoleToken> => {
    const { sessionId, memberId, memberName, memberEmail, role, ...client } = await requireConsoleSession(deps, cookie);
    if (isInactive(client.status)) throw new AppError('account_inactive');
    const clientId = client.id;
    const prolonged = await deps.db
      .tenant(clientId)
      .transactional((tx) => prolongConsoleSession(tx, sessionId, origin));
    if (prolonged === undefined) throw new AppError('unauthenticated');
    const issued = deps.accessTokens.issue({ clientId, sessionId }, prolonged.secondsLeft);
    const member = { id: memberId, name: memberName, email: memberEmail, role };
    return { ...issued, client: summaryOf(client), member };
  };
