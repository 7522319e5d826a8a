import { AppError } from '../../../kernel/errors.ts';
import type { Database } from '../../../platform/database/database.ts';
import { addAudit } from '../queries/add-audit.ts';
import { lockClient } from '../queries/clients.ts';
import { ADDRESS_OF_MEMBER } from '../queries/members.ts';
import { PASSWORD_RESETS } from '../queries/one-time-tokens.ts';
import { PASSWORD_RESET_MINUTES } from '../rules/token-lifetimes.ts';
import { hashToken, newOpaqueToken } from './opaque-token.ts';

/**
 * Makes the link that a forgotten password is mailed with, for the operator to give to the first owner by another way. The
 * token is in the fragment, which browsers send to no server. Throws `not_found`.
 */
export const makeResetLink =
  ({
    db,
    publicUrl,
  }: {
    readonly db: Pick<Database, 'readPrepared' | 'tenant' | 'writePrepared'>;
    readonly publicUrl: string;
  }) =>
  async (clientId: string): Promise<{ readonly url: string; readonly validMinutes: number }> => {
    const [owner] = await db.readPrepared({ clientId }, ADDRESS_OF_MEMBER, { clientId, memberId: null });
    if (owner === undefined) throw new AppError('not_found');
    await db.tenant(clientId).transactional(async (tx) => {
      if ((await lockClient(tx, clientId)) === undefined) throw new AppError('not_found');
      await addAudit(tx, { clientId, actor: 'operator', action: 'password_reset_asked' });
    });
    const token = newOpaqueToken();
    const link = { clientId, memberId: owner.id, tokenHash: hashToken(token), minutes: PASSWORD_RESET_MINUTES };
    await db.writePrepared({ clientId }, PASSWORD_RESETS.INSERT, link);
    return { url: `${publicUrl}/reset-password#${token}`, validMinutes: PASSWORD_RESET_MINUTES };
  };
