import { AppError } from '../../../kernel/errors.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import type { SharedDeps } from '../../deps.ts';
import { adoptSender, setPixCodes } from '../queries/channel-senders.ts';
import type { MessagingDeps } from './deps.ts';
import { realSendersOf } from './senders-of.ts';

interface ChangeRequest {
  readonly clientId: string;
  readonly channel: RealChannel;
  readonly pixCodes: boolean;
  readonly source: RequestSource;
}

/**
 * Says whether messages of the connected sender may carry Pix codes. Saying so again forgets why the channel refused one.
 * Throws `not_found` where nothing is connected, or where no message of the channel can carry a code.
 */
export const changeChannel =
  (deps: Pick<SharedDeps, 'db'> & Pick<MessagingDeps, 'sendersOf'>) =>
  ({ clientId, channel, pixCodes, source }: ChangeRequest): Promise<void> =>
    deps.db.tenant(clientId).transactional(async (tx) => {
      const sender = (await realSendersOf(tx, deps, clientId)).find(({ name }) => name === channel);
      if (sender === undefined || !sender.channel.capabilities.pixCodes) throw new AppError('not_found');
      const { id: senderId, credentials } = sender;
      const key = { clientId, channel, senderId };
      const to = { pixCodes, pixRefusal: null };
      if (!(await setPixCodes(tx, key, to))) {
        // A sender of the deployment's configuration has no row before its first message.
        await adoptSender(tx, { ...key, accountId: credentials?.accountId ?? null, shownAs: senderId });
        await setPixCodes(tx, key, to);
      }
      await addRequestAudit(tx, { clientId, source, action: 'channel_changed', details: { channel, pixCodes } });
    });
