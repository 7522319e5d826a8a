import { REAL_PROVIDER_NAMES } from '../../kernel/payment-providers.ts';
import { disconnectAccount } from '../../modules/accounts/queries/client-credentials.ts';
import { disableWebhooks } from '../../modules/events/use-cases/disable-webhooks.ts';
import { disconnectChannels } from '../../modules/messaging/use-cases/disconnect-channel.ts';
import type { Tx } from '../../platform/database/tx.ts';

/** Ends the connections of a client in all modules that have some, in the transaction of a caller that has locked it. */
export async function disconnectAll(tx: Tx, clientId: string): Promise<void> {
  for (const purpose of REAL_PROVIDER_NAMES) await disconnectAccount(tx, { clientId, purpose });
  await disconnectChannels(tx, clientId);
  await disableWebhooks(tx, clientId);
}
