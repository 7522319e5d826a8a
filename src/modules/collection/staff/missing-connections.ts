import { realNameOf } from '../../messaging/use-cases/candidates.ts';
import type { CollectionDeps } from '../deps.ts';

/** Lists what a client still has to connect before real people can be contacted and can pay. */
export const missingConnections =
  ({
    db,
    payments,
    sendersOf,
  }: Pick<CollectionDeps, 'db' | 'payments' | 'sendersOf'>): CollectionDeps['missingConnections'] =>
  async (clientId) => {
    const [{ credentials }, senders] = await Promise.all([
      payments.accountFor({ clientId, sandbox: false }),
      db.tenant(clientId).transactional((tx) => sendersOf(tx, { clientId, sandbox: false, channels: null })),
    ]);
    return [
      ...(senders.some((sender) => realNameOf(sender) !== null) ? [] : (['channel'] as const)),
      ...(credentials === null ? (['payment_provider'] as const) : []),
    ];
  };
