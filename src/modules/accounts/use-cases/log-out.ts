import { addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import { endSession, type SessionOwner } from '../queries/sessions.ts';
import type { AccountDeps } from './deps.ts';

/** Ends one session. An identity provider's token has no session here, and its validity is decided by the provider. */
export const logOut =
  ({ db }: Pick<AccountDeps, 'db'>) =>
  async (input: SessionOwner & { sessionId: string | undefined; source: RequestSource }): Promise<void> => {
    const { clientId, memberId, sessionId, source } = input;
    if (sessionId === undefined) return;
    await db.tenant(clientId).transactional(async (tx) => {
      await endSession(tx, memberId, sessionId);
      await addRequestAudit(tx, { clientId, source, action: 'logout' });
    });
  };
