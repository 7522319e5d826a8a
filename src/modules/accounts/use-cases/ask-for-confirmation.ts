import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import { ADDRESSEE } from '../queries/clients.ts';
import { askForMail } from './ask-for-mail.ts';
import type { AccountDeps } from './deps.ts';

/**
 * Sends another confirmation link when an earlier one did not arrive in time. Earlier links stay valid. Throws
 * `rate_limited`.
 */
export const askForConfirmation =
  ({ db, workflows, takeFromMailRate }: Pick<AccountDeps, 'db' | 'workflows' | 'takeFromMailRate'>) =>
  async ({ clientId, source }: { clientId: string; source: RequestSource }): Promise<void> => {
    const [client] = await db.readPrepared({ clientId }, ADDRESSEE, { clientId });
    if (client === undefined) throw new AppError('not_found');
    if (client.confirmed) return;
    await takeFromMailRate(`email_confirmation:${clientId}`);
    await db.tenant(clientId).transactional(async (tx) => {
      await askForMail(tx, workflows, clientId, 'email_confirmation');
      await addRequestAudit(tx, { clientId, source, action: 'email_confirmation_asked' });
    });
  };
