import { addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import { endSession } from '../queries/sessions.ts';
import type { AccountDeps } from './deps.ts';

/** Ends one session. An identity provider's token has no session here, and its validity is decided by the provider. */
export const logOut =
  ({ db }: Pick<AccountDeps, 'db'>) =>
  async (input: { clientId: string; sessionId: string | undefined; source: RequestSource }): Promise<void> => {
    const { clientId, sessionId, source } = input;
    if (sessionId === undefined) return;
    await db.tenant(clientId).transactional(async (tx) => {
      await endSession(tx, sessionId);
      await addRequestAudit(tx, { clientId, source, action: 'logout' });
    });
  };
