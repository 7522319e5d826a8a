import { AppError } from '../../../kernel/errors.ts';
import { isRealChannel, type RealChannel } from '../../../kernel/messaging-channels.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { NAME_OF_CLIENT } from '../../accounts/queries/clients.ts';
import type { SharedDeps } from '../../deps.ts';
import { adoptSender } from '../queries/channel-senders.ts';
import type { MessagingDeps, Sender } from './deps.ts';

/** A sender that reaches real people. */
export interface RealSender extends Sender {
  readonly name: RealChannel;
  readonly id: string;
}

/** Returns the senders of a client that reach real people, in the order in which they are tried. */
export async function realSendersOf(
  tx: Tx,
  { sendersOf }: Pick<MessagingDeps, 'sendersOf'>,
  clientId: string,
): Promise<readonly RealSender[]> {
  const senders = await sendersOf(tx, { clientId, sandbox: false, channels: null });
  return senders.flatMap((sender) => {
    const { name } = sender.channel;
    return isRealChannel(name) && sender.id !== null ? [{ ...sender, name, id: sender.id }] : [];
  });
}

/**
 * Returns the name of a client and its senders, for a command of the operator. It stores the senders of the deployment's
 * configuration, so that they are checked before their first message. Throws `not_found`.
 */
export async function sendersForOperator(
  deps: Pick<SharedDeps, 'db'> & Pick<MessagingDeps, 'sendersOf'>,
  clientId: string,
): Promise<{ readonly clientName: string; readonly senders: readonly RealSender[] }> {
  const [client] = await deps.db.readPrepared({ clientId }, NAME_OF_CLIENT, { clientId });
  if (client === undefined) throw new AppError('not_found');
  const senders = await deps.db.tenant(clientId).transactional(async (tx) => {
    const found = await realSendersOf(tx, deps, clientId);
    for (const { name, id, credentials } of found) {
      const accountId = credentials?.accountId ?? null;
      await adoptSender(tx, { clientId, channel: name, senderId: id, accountId, shownAs: id });
    }
    return found;
  });
  return { clientName: client.name, senders };
}
