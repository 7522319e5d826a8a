import { isRealChannel } from '../../../kernel/messaging-channels.ts';
import type { ReceivedMessage } from '../../messaging/queries/conversations.ts';
import type { CollectionDeps } from '../deps.ts';

/**
 * Shows the debtor that the messages of a turn were read, where the channel has such a mark: one on the newest message
 * counts for those before it. Nobody waits for it, and a failure is of no consequence.
 */
export function markRead(
  { files }: Pick<CollectionDeps, 'files'>,
  clientId: string,
  messages: readonly ReceivedMessage[],
): void {
  const newest = messages.at(-1);
  const { channel: name = '', channelMessageId = null, senderId = null } = newest ?? {};
  const channel = files.channelOf(name);
  if (channel?.markRead === undefined || !isRealChannel(name) || channelMessageId === null || senderId === null) return;
  void files
    .credentialsOf(clientId, name, senderId)
    .then((credentials) => (credentials === null ? undefined : channel.markRead?.(channelMessageId, credentials)))
    .catch(() => undefined);
}
