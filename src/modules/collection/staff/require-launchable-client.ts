import { AppError } from '../../../kernel/errors.ts';
import type { Connection } from '../../../kernel/launch-needs.ts';
import type { ClientAddress } from '../../accounts/tables/client.ts';
import type { CollectionDeps } from '../deps.ts';

const CONNECTION_NAMES: Readonly<Record<Connection, string>> = {
  channel: 'messaging channel',
  payment_provider: 'payment provider',
};

/** What is asked of a client before any real person is contacted for it. */
export interface LaunchingClient {
  readonly confirmed: boolean;
  readonly verified: boolean;
  readonly cnpj: string | null;
  readonly address: ClientAddress | null;
}

/**
 * Real people are contacted only for a company that the operator has verified and that they can identify (CDC 42-A).
 */
export async function requireLaunchableClient(
  deps: Pick<CollectionDeps, 'missingConnections'>,
  clientId: string,
  client: LaunchingClient,
): Promise<void> {
  if (!client.confirmed) throw new AppError('email_not_confirmed');
  if (!client.verified) throw new AppError('client_not_verified');
  const missing = [
    ...(client.cnpj === null ? ['CNPJ'] : []),
    ...(client.address === null ? ['address'] : []),
    ...(await deps.missingConnections(clientId)).map((connection) => CONNECTION_NAMES[connection]),
  ];
  if (missing.length > 0) throw new AppError('creditor_incomplete', { detail: `Missing: ${missing.join(', ')}.` });
}
