import { addRequestAudit, type RequestSource } from '../../db/audit.ts';
import { runInTransaction } from '../../db/statement.ts';
import type { ServiceDeps } from '../deps.ts';
import { LOCK_CLIENT, REVOKE_KEY } from './create-api-key.ts';

export const revokeApiKey =
  ({ db }: Pick<ServiceDeps, 'db'>) =>
  async ({ clientId, source }: { clientId: string; source: RequestSource }): Promise<void> => {
    await db.tenant(clientId).transactional(async (em) => {
      await runInTransaction(em, LOCK_CLIENT, [clientId]);
      const revoked = await runInTransaction(em, REVOKE_KEY, [clientId]);
      if (revoked.length > 0) await addRequestAudit(em, { clientId, source, action: 'api_key_revoked' });
    });
  };
