import { lockClient } from '../queries/clients.ts';
import { EMAIL_CONFIRMATIONS } from '../queries/one-time-tokens.ts';
import { confirmAddress } from './confirm-address.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { linkRefused } from './link-refused.ts';
import { hashToken } from './opaque-token.ts';

/** Confirms the address by the mailed link, which works once. */
export const confirmEmail =
  ({ db }: Pick<AccountDeps, 'db'>) =>
  async ({ token, origin }: { token: string; origin: Origin }): Promise<void> => {
    const [found] = await db.readPrepared({ auth: true }, EMAIL_CONFIRMATIONS.OF_TOKEN, {
      tokenHash: hashToken(token),
    });
    if (found === undefined) throw linkRefused();
    const { id, clientId } = found;
    await db.account(clientId).transactional(async (tx) => {
      // The client's row is locked first, as by every confirmation, so that concurrent ones wait and do not deadlock.
      await lockClient(tx, clientId);
      if ((await EMAIL_CONFIRMATIONS.use(tx, id)) === undefined) throw linkRefused();
      await confirmAddress(tx, { clientId, actor: 'client', ip: origin.ip });
    });
  };
