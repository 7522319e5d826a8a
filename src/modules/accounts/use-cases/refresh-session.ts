import { AppError } from '../../../kernel/errors.ts';
import { addAudit } from '../queries/add-audit.ts';
import { REFRESH_TOKEN, type RefreshToken, useRefreshToken } from '../queries/refresh-tokens.ts';
import { endSessions, prolongSession } from '../queries/sessions.ts';
import { isInactive } from './account.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { hashToken } from './opaque-token.ts';
import { issuePair, REFRESH_TOKEN_SECONDS, type TokenPair } from './open-session.ts';

/**
 * A refresh token works once. A second use means that another person has the token, so every session of the client
 * ends.
 */
export const refreshSession =
  (deps: Pick<AccountDeps, 'db' | 'accessTokens'>) =>
  async (input: { refreshToken: string; origin: Origin }): Promise<TokenPair> => {
    const [known] = await deps.db.readPrepared({ auth: true }, REFRESH_TOKEN, {
      tokenHash: hashToken(input.refreshToken),
    });
    if (known === undefined) throw new AppError('refresh_token_invalid');
    if (!known.used) {
      if (known.over) throw new AppError('refresh_token_invalid');
      if (isInactive(known.status)) throw new AppError('account_inactive');
      const pair = await use(deps, known, input.origin);
      if (pair !== undefined) return pair;
    }
    await endAllSessions(deps, known, input.origin);
    throw new AppError('refresh_token_reused');
  };

const use = (
  deps: Pick<AccountDeps, 'db' | 'accessTokens'>,
  known: RefreshToken,
  origin: Origin,
): Promise<TokenPair | undefined> =>
  deps.db.tenant(known.clientId).transactional(async (tx) => {
    if ((await useRefreshToken(tx, known.id)) === undefined) return undefined;
    const prolonged = await prolongSession(tx, known.sessionId, origin, REFRESH_TOKEN_SECONDS);
    // The session has ended since it was read. The exception rolls back the use of the token, which is harmless then.
    if (prolonged === undefined) throw new AppError('refresh_token_invalid');
    return issuePair(tx, deps, known);
  });

const endAllSessions = (
  { db }: Pick<AccountDeps, 'db'>,
  { clientId, sessionId }: RefreshToken,
  { ip }: Origin,
): Promise<void> =>
  db.tenant(clientId).transactional(async (tx) => {
    await endSessions(tx, { clientId });
    await addAudit(tx, { clientId, actor: 'anonymous', action: 'refresh_token_reused', target: sessionId, ip });
  });
