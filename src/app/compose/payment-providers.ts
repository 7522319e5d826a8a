import type { RealProviderName } from '../../kernel/payment-providers.ts';
import { createMercadoPagoProvider } from '../../modules/payments/adapters/mercadopago/mercadopago-provider.ts';
import { createPixProvider } from '../../modules/payments/adapters/pix/pix-provider.ts';
import type { PaymentProvider } from '../../modules/payments/ports/payment-provider.ts';
import { createBankCalls } from '../../modules/payments/use-cases/count-bank-calls.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';

interface RegisteredProvider {
  readonly create: (config: Config, db: Database) => PaymentProvider<RealProviderName>;
  /** The account of a deployment for one company. */
  readonly accessToken: (config: Config) => string | undefined;
}

/** The providers through which real money moves. `docs/add-a-provider.md` leads through one more. */
export const REGISTERED_PROVIDERS: Readonly<Record<RealProviderName, RegisteredProvider>> = {
  mercadopago: {
    create: (config) => createMercadoPagoProvider({ baseUrl: config.mercadopagoBaseUrl }),
    accessToken: (config) => config.mercadopagoAccessToken,
  },
  pix: {
    create: (config, db) =>
      createPixProvider({ allowLoopback: config.nodeEnv !== 'production', calls: createBankCalls(db) }),
    // A bank has no access token: its credentials belong to a client's own account.
    accessToken: () => undefined,
  },
};
