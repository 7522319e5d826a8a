import type { Database } from '../db/database.ts';
import { passwordResetEmail } from '../documents/email/password-reset-email.ts';
import { AppError } from '../domain/errors.ts';
import { type Mailer, MailerError } from '../ports/mailer.ts';
import { hashToken, newOpaqueToken } from './opaque-token.ts';

export const RESET_MINUTES = 30;

export interface SendPasswordResetDeps {
  readonly db: Pick<Database, 'read' | 'write'>;
  /** Null where e-mail is off. */
  readonly mailer: Mailer | null;
  readonly publicUrl: string;
}

const FIND = { name: 'password_reset_addressee', text: 'select name, email from clients where id = $1' };
const INSERT = {
  name: 'password_reset_insert',
  text: `
    insert into password_resets (client_id, token_hash, expires_at)
    values ($1, $2, now() + make_interval(mins => $3))`,
};

/** May be tried again: each try brings a link of its own, and the first that is used ends them all. */
export const sendPasswordReset =
  ({ db, mailer, publicUrl }: SendPasswordResetDeps) =>
  async ({ clientId, requestId }: { clientId: string; requestId: string }): Promise<void> => {
    const [client] = await db.read<{ name: string; email: string }>({ clientId }, FIND, [clientId]);
    if (client === undefined || mailer === null) return;
    const token = newOpaqueToken();
    await db.write({ clientId }, INSERT, [clientId, hashToken(token), RESET_MINUTES]);
    const mail = passwordResetEmail({
      companyName: client.name,
      resetUrl: `${publicUrl}/reset-password?token=${token}`,
      validMinutes: RESET_MINUTES,
    });
    const context = { clientId, debtId: null, purpose: 'password_reset', at: new Date() };
    try {
      await mailer.send({ id: requestId, to: client.email, ...mail, context });
    } catch (error) {
      if (!(error instanceof MailerError)) throw error;
      // An address that refuses mail refuses it again; whoever asked sees nothing come, as with a wrong address.
      if (error.kind === 'rejected') return;
      throw new AppError('unavailable', { cause: error });
    }
  };
