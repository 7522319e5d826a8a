import { AppError } from '../../../kernel/errors.ts';
import { REAL_CHANNELS, type RealChannel } from '../../../kernel/messaging-channels.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { disconnectAccount } from '../../accounts/queries/client-credentials.ts';
import { type CallingMember, lockForCaller } from '../../accounts/use-cases/lock-for-owner.ts';
import type { SharedDeps } from '../../deps.ts';
import { disconnectSender } from '../queries/channel-senders.ts';

interface DisconnectRequest extends CallingMember {
  readonly channel: RealChannel;
  readonly source: RequestSource;
}

/**
 * Ends that the client sends over the channel. The sender and its secret are kept, so that what people answer to it is
 * still taken. Throws `not_found` when nothing is connected, as where the environment names the senders.
 */
export const disconnectChannel =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  ({ clientId, memberId, sessionId, channel, source }: DisconnectRequest): Promise<void> =>
    db.tenant(clientId).transactional(async (tx) => {
      await lockForCaller(tx, { clientId, memberId, sessionId }, 'administer');
      if (!(await disconnect(tx, clientId, channel))) throw new AppError('not_found');
      await addRequestAudit(tx, { clientId, source, action: 'channel_disconnected', details: { channel } });
    });

/** Does the same for all channels that the client has connected itself, in the transaction of a caller that has locked it. */
export async function disconnectChannels(tx: Tx, clientId: string): Promise<void> {
  for (const channel of REAL_CHANNELS) await disconnect(tx, clientId, channel);
}

/** Returns false when nothing is connected. */
async function disconnect(tx: Tx, clientId: string, channel: RealChannel): Promise<boolean> {
  if (!(await disconnectAccount(tx, { clientId, purpose: channel }))) return false;
  await disconnectSender(tx, { clientId, channel });
  return true;
}
