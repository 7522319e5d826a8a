import { AppError } from '../../../kernel/errors.ts';
import { addAudit } from '../queries/add-audit.ts';
import { PASSWORD_OF_EMAIL } from '../queries/members.ts';
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
    const [known] = await db.readPrepared({ auth: true }, PASSWORD_OF_EMAIL, { email });
    const member = known !== undefined && known.passwordHash !== null ? known : undefined;
    await db.auth().transactional(async (tx) => {
      await addAudit(tx, {
        clientId: member?.clientId ?? null,
        actor: 'anonymous',
        action: 'password_reset_asked',
        target: emailHash(email),
        ip: origin.ip,
      });
      if (member === undefined) return;
      await askForMail(tx, workflows, member.clientId, 'password_reset', member.id);
    });
  };
