import { addAudit } from '../../db/add-audit.ts';
import type { Database } from '../../db/database.ts';
import { lockClient } from '../../db/queries/clients.ts';
import { PASSWORD_RESETS } from '../../db/queries/one-time-tokens.ts';
import { AppError } from '../../domain/errors.ts';
import { PASSWORD_RESET_MINUTES } from '../../domain/token-lifetimes.ts';
import { hashToken, newOpaqueToken } from './opaque-token.ts';

/**
 * Makes the link that a forgotten password is mailed with, for the operator to give to the client by another way. The
 * token is in the fragment, which browsers send to no server. Throws `not_found`.
 */
export const makeResetLink =
  ({ db, publicUrl }: { readonly db: Pick<Database, 'tenant' | 'writePrepared'>; readonly publicUrl: string }) =>
  async (clientId: string): Promise<{ readonly url: string; readonly validMinutes: number }> => {
    await db.tenant(clientId).transactional(async (em) => {
      if ((await lockClient(em, clientId)) === undefined) throw new AppError('not_found');
      await addAudit(em, { clientId, actor: 'operator', action: 'password_reset_asked' });
    });
    const token = newOpaqueToken();
    const link = { clientId, tokenHash: hashToken(token), minutes: PASSWORD_RESET_MINUTES };
    await db.writePrepared({ clientId }, PASSWORD_RESETS.INSERT, link);
    return { url: `${publicUrl}/reset-password#${token}`, validMinutes: PASSWORD_RESET_MINUTES };
  };
