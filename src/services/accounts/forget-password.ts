import { addAudit } from '../../db/audit.ts';
import { emailHash } from '../../db/login-lockout.ts';
import { AppError } from '../../domain/errors.ts';
import type { Origin, ServiceDeps } from '../deps.ts';
import { askForMail } from './ask-for-mail.ts';

const BY_EMAIL = {
  name: 'forget_password_by_email',
  text: 'select id from clients where email = $1 and password_hash is not null',
};

/** Asks for the mail and tells nobody whether there is an account: a worker sends it, later than this answers. */
export const forgetPassword =
  ({ db, takeFromForgottenRate, workflows }: Pick<ServiceDeps, 'db' | 'takeFromForgottenRate' | 'workflows'>) =>
  async ({ email, origin }: { email: string; origin: Origin }): Promise<void> => {
    try {
      await takeFromForgottenRate(emailHash(email));
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limited') return;
      throw error;
    }
    const [client] = await db.read<{ id: string }>({ auth: true }, BY_EMAIL, [email]);
    await db.auth().transactional(async (em) => {
      await addAudit(em, {
        clientId: client?.id ?? null,
        actor: 'anonymous',
        action: 'password_reset_asked',
        target: emailHash(email),
        ip: origin.ip,
      });
      if (client === undefined) return;
      await askForMail(em, workflows, client.id, 'password_reset');
    });
  };
