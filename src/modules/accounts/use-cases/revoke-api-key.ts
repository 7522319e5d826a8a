import { addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import { revokeApiKeyOf } from '../queries/api-keys.ts';
import type { AccountDeps } from './deps.ts';
import { type CallingMember, lockForCaller } from './lock-for-owner.ts';

export const revokeApiKey =
  ({ db }: Pick<AccountDeps, 'db'>) =>
  async ({ source, ...caller }: CallingMember & { readonly source: RequestSource }): Promise<void> => {
    const { clientId } = caller;
    await db.tenant(clientId).transactional(async (tx) => {
      await lockForCaller(tx, caller, 'administer');
      const revoked = await revokeApiKeyOf(tx, clientId);
      if (revoked !== undefined) await addRequestAudit(tx, { clientId, source, action: 'api_key_revoked' });
    });
  };
