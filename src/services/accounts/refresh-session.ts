import { addAudit } from '../../db/audit.ts';
import type { ClientStatus } from '../../db/entities/client.ts';
import { runInTransaction } from '../../db/statement.ts';
import { AppError } from '../../domain/errors.ts';
import type { Origin, ServiceDeps } from '../deps.ts';
import { isInactive } from './account.ts';
import { hashToken } from './opaque-token.ts';
import { endSessions, issuePair, REFRESH_TOKEN_SECONDS, type TokenPair } from './open-session.ts';

interface Known {
  readonly id: string;
  readonly clientId: string;
  readonly sessionId: string;
  readonly used: boolean;
  readonly over: boolean;
  readonly status: ClientStatus;
}

const FIND = {
  name: 'refresh_token_by_hash',
  text: `
    select token.id, token.client_id as "clientId", token.session_id as "sessionId",
      token.used_at is not null as used,
      token.expires_at <= now() or sessions.ended_at is not null as over,
      clients.status
    from refresh_tokens token
      join sessions on sessions.id = token.session_id
      join clients on clients.id = token.client_id
    where token.token_hash = $1`,
};

// Of many concurrent uses, one finds the token unused. The others wait for its commit and then find it used.
const USE = 'update refresh_tokens set used_at = now() where id = $1 and used_at is null returning id';
const PROLONG = `
  update sessions set expires_at = now() + make_interval(secs => $2)
  where id = $1 and ended_at is null returning id`;

/**
 * A refresh token works once. A second use means that another person has the token, so every session of the client
 * ends.
 */
export const refreshSession =
  (deps: Pick<ServiceDeps, 'db' | 'accessTokens'>) =>
  async (input: { refreshToken: string; origin: Origin }): Promise<TokenPair> => {
    const [known] = await deps.db.read<Known>({ auth: true }, FIND, [hashToken(input.refreshToken)]);
    if (known === undefined) throw new AppError('refresh_token_invalid');
    if (!known.used) {
      if (known.over) throw new AppError('refresh_token_invalid');
      if (isInactive(known.status)) throw new AppError('account_inactive');
      const pair = await use(deps, known);
      if (pair !== undefined) return pair;
    }
    await endAllSessions(deps, known, input.origin);
    throw new AppError('refresh_token_reused');
  };

const use = (deps: Pick<ServiceDeps, 'db' | 'accessTokens'>, known: Known): Promise<TokenPair | undefined> =>
  deps.db.tenant(known.clientId).transactional(async (em) => {
    if ((await runInTransaction(em, USE, [known.id])).length === 0) return undefined;
    const prolonged = await runInTransaction(em, PROLONG, [known.sessionId, REFRESH_TOKEN_SECONDS]);
    // The session has ended since it was read. The exception rolls back the use of the token, which is harmless then.
    if (prolonged.length === 0) throw new AppError('refresh_token_invalid');
    return issuePair(em, deps, known);
  });

const endAllSessions = (
  { db }: Pick<ServiceDeps, 'db'>,
  { clientId, sessionId }: Known,
  { ip }: Origin,
): Promise<void> =>
  db.tenant(clientId).transactional(async (em) => {
    await endSessions(em, clientId);
    await addAudit(em, { clientId, actor: 'anonymous', action: 'refresh_token_reused', target: sessionId, ip });
  });
