import { deleteCredentials } from '../../modules/accounts/queries/client-credentials.ts';
import { disableWebhooks } from '../../modules/events/use-cases/disable-webhooks.ts';
import { disconnectChannels } from '../../modules/messaging/use-cases/disconnect-channel.ts';
import type { Tx } from '../../platform/database/tx.ts';

/**
 * Ends the connections of a client in all modules that have some, in the transaction of a caller that has locked it. No
 * secret is kept, of earlier accounts and senders neither: whoever knows it could sign messages to the client.
 */
export async function disconnectAll(tx: Tx, clientId: string): Promise<void> {
  await disconnectChannels(tx, clientId);
  await deleteCredentials(tx, clientId);
  await disableWebhooks(tx, clientId);
}
