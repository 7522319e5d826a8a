import { addRequestAudit, type RequestSource } from '../../db/audit.ts';
import { AppError } from '../../domain/errors.ts';
import type { ServiceDeps } from '../deps.ts';
import { askForMail } from './ask-for-mail.ts';

const READ = {
  name: 'ask_for_confirmation',
  text: 'select email_confirmed_at is not null as confirmed from clients where id = $1',
};

/**
 * Sends another confirmation link when an earlier one did not arrive in time. Earlier links stay valid. Throws
 * `rate_limited`.
 */
export const askForConfirmation =
  ({ db, workflows, takeFromMailRate }: Pick<ServiceDeps, 'db' | 'workflows' | 'takeFromMailRate'>) =>
  async ({ clientId, source }: { clientId: string; source: RequestSource }): Promise<void> => {
    const [client] = await db.read<{ confirmed: boolean }>({ clientId }, READ, [clientId]);
    if (client === undefined) throw new AppError('not_found');
    if (client.confirmed) return;
    await takeFromMailRate(`email_confirmation:${clientId}`);
    await db.tenant(clientId).transactional(async (em) => {
      await askForMail(em, workflows, clientId, 'email_confirmation');
      await addRequestAudit(em, { clientId, source, action: 'email_confirmation_asked' });
    });
  };
