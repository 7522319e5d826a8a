import { addRequestAudit, type RequestSource } from '../../db/audit.ts';
import { runInTransaction } from '../../db/statement.ts';
import type { ServiceDeps } from '../deps.ts';

const END = 'update sessions set ended_at = now() where id = $1 and ended_at is null';

/** Ends one session. An identity provider's token has no session here, and its validity is decided by the provider. */
export const logOut =
  ({ db }: Pick<ServiceDeps, 'db'>) =>
  async (input: { clientId: string; sessionId: string | undefined; source: RequestSource }): Promise<void> => {
    const { clientId, sessionId, source } = input;
    if (sessionId === undefined) return;
    await db.tenant(clientId).transactional(async (em) => {
      await runInTransaction(em, END, [sessionId]);
      await addRequestAudit(em, { clientId, source, action: 'logout' });
    });
  };
