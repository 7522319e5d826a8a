import { addRequestAudit, type RequestSource } from '../../db/audit.ts';
import { runInTransaction } from '../../db/statement.ts';
import { AppError } from '../../domain/errors.ts';
import type { ServiceDeps } from '../deps.ts';
import { askForMail, mayNotify } from './ask-for-mail.ts';
import { API_KEY_PREFIX, hashToken, newOpaqueToken } from './opaque-token.ts';
import { requireOpenSession } from './open-session.ts';

// Of two concurrent calls, the second waits here, and then sees and revokes the key of the first.
export const LOCK_CLIENT = 'select id from clients where id = $1 for no key update';
export const REVOKE_KEY =
  'update api_keys set revoked_at = now() where client_id = $1 and revoked_at is null returning id';
const INSERT = 'insert into api_keys (client_id, key_hash) values ($1, $2)';

/** Creates a key and revokes the previous one. Only this answer contains the key; the database stores its hash. */
export const createApiKey =
  (deps: Pick<ServiceDeps, 'db' | 'workflows' | 'takeFromMailRate'>) =>
  async ({
    clientId,
    sessionId,
    source,
  }: {
    clientId: string;
    sessionId?: string | undefined;
    source: RequestSource;
  }): Promise<{ apiKey: string }> => {
    const apiKey = `${API_KEY_PREFIX}${newOpaqueToken()}`;
    const notify = await mayNotify(deps, clientId, 'api_key_created');
    await deps.db.tenant(clientId).transactional(async (em) => {
      if ((await runInTransaction(em, LOCK_CLIENT, [clientId])).length === 0) throw new AppError('token_invalid');
      await requireOpenSession(em, sessionId);
      await runInTransaction(em, REVOKE_KEY, [clientId]);
      await runInTransaction(em, INSERT, [clientId, hashToken(apiKey)]);
      await addRequestAudit(em, { clientId, source, action: 'api_key_created' });
      if (notify) await askForMail(em, deps.workflows, clientId, 'api_key_created');
    });
    return { apiKey };
  };
