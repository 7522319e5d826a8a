import { AppError } from '../../../kernel/errors.ts';
import type { Connection } from '../../../kernel/launch-needs.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { ClientAddress } from '../../accounts/tables/client.ts';
import { realNameOf } from '../../messaging/use-cases/candidates.ts';
import type { CollectionDeps } from '../deps.ts';

/** Lists what a client still has to connect before real people can be contacted and can pay. */
export const missingConnections =
  ({ payments, sendersOf }: Pick<CollectionDeps, 'payments' | 'sendersOf'>): CollectionDeps['missingConnections'] =>
  async (tx, clientId) => {
    const { credentials } = await payments.accountFor({ clientId, sandbox: false }, tx);
    const senders = await sendersOf(tx, { clientId, sandbox: false, channels: null });
    return [
      ...(senders.some((sender) => realNameOf(sender) !== null) ? [] : (['channel'] as const)),
      ...(credentials === null ? (['payment_provider'] as const) : []),
    ];
  };

const CONNECTION_NAMES: Readonly<Record<Connection, string>> = {
  channel: 'messaging channel',
  payment_provider: 'payment provider',
};

/**
 * Real people are contacted only for a company that the operator has verified and that they can identify (CDC 42-A).
 */
export async function requireLaunchableClient(
  tx: Tx,
  deps: Pick<CollectionDeps, 'missingConnections'>,
  clientId: string,
  client: {
    readonly confirmed: boolean;
    readonly verified: boolean;
    readonly cnpj: string | null;
    readonly address: ClientAddress | null;
  },
): Promise<void> {
  if (!client.confirmed) throw new AppError('email_not_confirmed');
  if (!client.verified) throw new AppError('client_not_verified');
  const missing = [
    ...(client.cnpj === null ? ['CNPJ'] : []),
    ...(client.address === null ? ['address'] : []),
    ...(await deps.missingConnections(tx, clientId)).map((connection) => CONNECTION_NAMES[connection]),
  ];
  if (missing.length > 0) throw new AppError('creditor_incomplete', { detail: `Missing: ${missing.join(', ')}.` });
}
