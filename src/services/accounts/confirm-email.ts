import { runInTransaction } from '../../db/statement.ts';
import type { Origin, ServiceDeps } from '../deps.ts';
import { confirmAddress } from './confirm-address.ts';
import { LOCK_CLIENT } from './create-api-key.ts';
import { linkRefused } from './link-refused.ts';
import { hashToken } from './opaque-token.ts';

interface Found {
  readonly id: string;
  readonly clientId: string;
}

const FIND = {
  name: 'email_confirmation_by_hash',
  text: `
    select id, client_id as "clientId" from email_confirmations
    where token_hash = $1 and used_at is null and expires_at > now()`,
};

const USE = `
  update email_confirmations set used_at = now()
  where id = $1 and used_at is null and expires_at > now() returning id`;

/** Confirms the address by the mailed link, which works once and for 24 hours. */
export const confirmEmail =
  ({ db }: Pick<ServiceDeps, 'db'>) =>
  async ({ token, origin }: { token: string; origin: Origin }): Promise<void> => {
    const [found] = await db.read<Found>({ auth: true }, FIND, [hashToken(token)]);
    if (found === undefined) throw linkRefused();
    const { id, clientId } = found;
    await db.tenant(clientId).transactional(async (em) => {
      // The client's row is locked first, as by every confirmation, so that concurrent ones wait and do not deadlock.
      await runInTransaction(em, LOCK_CLIENT, [clientId]);
      if ((await runInTransaction(em, USE, [id])).length === 0) throw linkRefused();
      await confirmAddress(em, { clientId, actor: 'client', ip: origin.ip });
    });
  };
