import { AppError } from '../../../kernel/errors.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import type { Database } from '../../../platform/database/database.ts';
import { addAudit } from '../../accounts/queries/add-audit.ts';
import { lockClient } from '../../accounts/queries/client-credentials.ts';
import type { ChannelCredentials, CheckedSender, MessagingChannel } from '../ports/messaging-channel.ts';
import { connectSender } from '../queries/channel-senders.ts';
import type { ChannelCredentialStore } from './channel-credentials.ts';

export interface ConnectChannelDeps {
  readonly db: Pick<Database, 'tenant'>;
  readonly now: () => Date;
  readonly credentials: ChannelCredentialStore;
}

export interface ChannelToConnect {
  readonly name: RealChannel;
  readonly channel: MessagingChannel;
  /** Makes the channel post to this service, where that is done by its API. */
  readonly subscribe?: (credentials: ChannelCredentials) => Promise<void>;
}

export interface ConnectedChannel extends CheckedSender {
  /** What debtors saw of the sender before, when it is another one. It still receives. */
  readonly replaced: string | null;
}

/** Stores the credentials of a client's sender only after the channel has accepted them. */
export const connectChannel =
  ({ db, now, credentials }: ConnectChannelDeps) =>
  async (clientId: string, to: ChannelToConnect, given: ChannelCredentials): Promise<ConnectedChannel> => {
    const { name, channel, subscribe } = to;
    const inClient = db.tenant(clientId);
    if (!(await inClient.transactional((tx) => lockClient(tx, clientId)))) throw new AppError('not_found');
    const checked = await channel.checkCredentials(name === 'email' ? null : given);
    await subscribe?.(given);
    return db.tenant(clientId).transactional(async (tx) => {
      if (!(await lockClient(tx, clientId))) throw new AppError('not_found');
      await credentials.store(tx, clientId, name, given);
      const { senderId, accountId } = given;
      const replaced = await connectSender(tx, {
        clientId,
        channel: name,
        senderId,
        accountId,
        shownAs: checked.shownAs,
        peoplePerDay: checked.peoplePerDay,
        quality: checked.quality ?? null,
        checkedAt: now(),
      });
      const details = { channel: name, senderId };
      await addAudit(tx, { clientId, actor: 'operator', action: 'client_connected', details });
      return { ...checked, replaced };
    });
  };
