import { addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import { revokeApiKeyOf } from '../queries/api-keys.ts';
import { lockClient } from '../queries/clients.ts';
import type { AccountDeps } from './deps.ts';

export const revokeApiKey =
  ({ db }: Pick<AccountDeps, 'db'>) =>
  async ({ clientId, source }: { clientId: string; source: RequestSource }): Promise<void> => {
    await db.tenant(clientId).transactional(async (tx) => {
      await lockClient(tx, clientId);
      const revoked = await revokeApiKeyOf(tx, clientId);
      if (revoked !== undefined) await addRequestAudit(tx, { clientId, source, action: 'api_key_revoked' });
    });
  };
