import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import { ACCOUNT } from '../queries/clients.ts';
import { askForMail } from './ask-for-mail.ts';
import type { AccountDeps } from './deps.ts';

/**
 * Mails the operator that a company wants to be verified, at most once a day. Throws `not_found` where no operator takes
 * mail, `already_verified`, `creditor_incomplete` while there is no CNPJ to check, and `rate_limited`.
 */
export const askForVerification =
  (deps: Pick<AccountDeps, 'db' | 'workflows' | 'operatorTakesMail' | 'takeFromVerificationRate'>) =>
  async ({ clientId, source }: { clientId: string; source: RequestSource }): Promise<void> => {
    const { db, workflows } = deps;
    if (!deps.operatorTakesMail) throw new AppError('not_found');
    const [client] = await db.readPrepared({ clientId }, ACCOUNT, { clientId });
    if (client === undefined) throw new AppError('not_found');
    if (client.verified) throw new AppError('already_verified');
    if (client.cnpj === null) throw new AppError('creditor_incomplete', { detail: 'Missing: CNPJ.' });
    await deps.takeFromVerificationRate(clientId);
    await db.tenant(clientId).transactional(async (tx) => {
      await askForMail(tx, workflows, clientId, 'verification_asked');
      await addRequestAudit(tx, { clientId, source, action: 'verification_asked' });
    });
  };
