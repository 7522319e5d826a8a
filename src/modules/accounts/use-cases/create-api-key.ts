import { addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import { insertApiKey, revokeApiKeyOf } from '../queries/api-keys.ts';
import { askForMail, mayNotify } from './ask-for-mail.ts';
import type { AccountDeps } from './deps.ts';
import { type CallingMember, lockForCaller } from './lock-for-owner.ts';
import { API_KEY_PREFIX, hashToken, newOpaqueToken } from './opaque-token.ts';

/** Creates a key and revokes the previous one. Only this answer contains the key; the database stores its hash. */
export const createApiKey =
  (deps: Pick<AccountDeps, 'db' | 'workflows' | 'takeFromMailRate'>) =>
  async ({
    clientId,
    memberId,
    sessionId,
    source,
  }: CallingMember & { readonly source: RequestSource }): Promise<{ apiKey: string }> => {
    const apiKey = `${API_KEY_PREFIX}${newOpaqueToken()}`;
    const notify = await mayNotify(deps, clientId, 'api_key_created');
    await deps.db.tenant(clientId).transactional(async (tx) => {
      // Of two concurrent calls, the second waits here, and then sees and revokes the key of the first.
      await lockForCaller(tx, { clientId, memberId, sessionId }, 'administer');
      await revokeApiKeyOf(tx, clientId);
      await insertApiKey(tx, { clientId, keyHash: hashToken(apiKey) });
      await addRequestAudit(tx, { clientId, source, action: 'api_key_created' });
      if (notify) await askForMail(tx, deps.workflows, clientId, 'api_key_created');
    });
    return { apiKey };
  };
