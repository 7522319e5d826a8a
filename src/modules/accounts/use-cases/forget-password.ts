import { AppError } from '../../../kernel/errors.ts';
import { addAudit } from '../queries/add-audit.ts';
import { CLIENT_WITH_PASSWORD } from '../queries/clients.ts';
import { askForMail } from './ask-for-mail.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { emailHash } from './login-lockout.ts';

/**
 * Requests the mail. A worker sends it later than this answers, so that the answer does not disclose whether there is
 * an account.
 */
export const forgetPassword =
  ({ db, takeFromForgottenRate, workflows }: Pick<AccountDeps, 'db' | 'takeFromForgottenRate' | 'workflows'>) =>
  async ({ email, origin }: { email: string; origin: Origin }): Promise<void> => {
    try {
      await takeFromForgottenRate(emailHash(email));
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limited') return;
      throw error;
    }
    const [client] = await db.readPrepared({ auth: true }, CLIENT_WITH_PASSWORD, { email });
    await db.auth().transactional(async (tx) => {
      await addAudit(tx, {
        clientId: client?.id ?? null,
        actor: 'anonymous',
        action: 'password_reset_asked',
        target: emailHash(email),
        ip: origin.ip,
      });
      if (client === undefined) return;
      await askForMail(tx, workflows, client.id, 'password_reset');
    });
  };
