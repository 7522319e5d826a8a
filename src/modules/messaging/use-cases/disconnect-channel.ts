import { AppError } from '../../../kernel/errors.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { disconnectAccount } from '../../accounts/queries/client-credentials.ts';
import { lockClient } from '../../accounts/queries/clients.ts';
import type { SharedDeps } from '../../deps.ts';
import { disconnectSender } from '../queries/channel-senders.ts';

interface DisconnectRequest {
  readonly clientId: string;
  readonly channel: RealChannel;
  readonly source: RequestSource;
}

/**
 * Ends that the client sends over the channel. The sender and its secret are kept, so that what people answer to it is
 * still taken. Throws `not_found` when nothing is connected, as where the environment names the senders.
 */
export const disconnectChannel =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  ({ clientId, channel, source }: DisconnectRequest): Promise<void> =>
    db.tenant(clientId).transactional(async (tx) => {
      if (!(await lockClient(tx, clientId))) throw new AppError('not_found');
      if (!(await disconnectAccount(tx, { clientId, purpose: channel }))) throw new AppError('not_found');
      await disconnectSender(tx, { clientId, channel });
      await addRequestAudit(tx, { clientId, source, action: 'channel_disconnected', details: { channel } });
    });
