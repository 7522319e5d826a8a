import { addAudit } from '../../db/add-audit.ts';
import type { Database } from '../../db/database.ts';
import { clientExists } from '../../db/queries/client-credentials.ts';
import { AppError } from '../../domain/errors.ts';
import type { PaymentProvider } from '../../ports/payment-provider.ts';
import type { ClientCredentials, MercadoPagoCredentials } from './client-credentials.ts';

export interface ConnectDeps {
  readonly db: Pick<Database, 'tenant'>;
  readonly provider: PaymentProvider;
  readonly credentials: ClientCredentials;
}

/** Stores the credentials only after the provider has accepted them and has named the account that they open. */
export const connectClient =
  ({ db, provider, credentials }: ConnectDeps) =>
  async (clientId: string, given: MercadoPagoCredentials): Promise<{ readonly accountId: string }> => {
    const known = await db.tenant(clientId).transactional((em) => clientExists(em, clientId));
    if (!known) throw new AppError('not_found');
    const { accountId } = await provider.checkCredentials({ accessToken: given.accessToken });
    await credentials.storeMercadoPago(clientId, given, accountId);
    await db.tenant(clientId).transactional((em) =>
      addAudit(em, {
        clientId,
        actor: 'operator',
        action: 'client_connected',
        details: { provider: provider.name, accountId },
      }),
    );
    return { accountId };
  };
