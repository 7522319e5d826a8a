import { composePayments } from '../../src/app/compose/collection.ts';
import type { PaymentDeps } from '../../src/modules/payments/use-cases/deps.ts';
import { loadConfig, SECRET_NAMES } from '../../src/platform/config/index.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { createCollectionWorkflows } from '../../src/platform/temporal/collection-workflows.ts';
import type { AppOptions } from '../../testing/app.ts';
import type { CampaignsApp } from '../../testing/campaigns-app.ts';
import { FakeMercadoPago } from '../../testing/fake-mercadopago.ts';
import { type Debtor, newDebt, readPayment, startPaymentsApp, WEBHOOK_SECRET } from './support.ts';

/** Returns the environment of a deployment with real providers; `single` is the deployment of one company. */
export const realEnv = (provider: FakeMercadoPago, single: boolean): Record<string, string> => ({
  PAYMENT_PROVIDER: 'mercadopago',
  MERCADOPAGO_BASE_URL: provider.baseUrl,
  MESSAGING_CHANNEL: 'whatsapp',
  // Nothing listens there: these suites send no message.
  WHATSAPP_BASE_URL: 'http://127.0.0.1:9/v24.0',
  WHATSAPP_VERIFY_TOKEN: 'verify-token',
  ...(single
    ? {
        SINGLE_CLIENT: 'true',
        MERCADOPAGO_ACCESS_TOKEN: provider.accessToken,
        WHATSAPP_TOKEN: 'whatsapp-token',
        WHATSAPP_PHONE_NUMBER_ID: '123456789',
        WHATSAPP_BUSINESS_ACCOUNT_ID: '987654321',
        // Each company after the first logs in.
        LOGIN_RATE_PER_MINUTE: '1000',
      }
    : {}),
});

export interface RealApp {
  readonly app: CampaignsApp;
  readonly provider: FakeMercadoPago;
  /** Creates the dependencies of the worker's use cases for a test that replaces the schedule; `now` may be changed. */
  readonly worker: { readonly db: Database; readonly deps: (laterMs?: number) => PaymentDeps };
  close(): Promise<void>;
}

/** Starts the product with a provider that behaves like Mercado Pago. `single` is the deployment of one company. */
export async function startRealApp(options: AppOptions & { readonly single?: boolean } = {}): Promise<RealApp> {
  const { single = true, ...rest } = options;
  const provider = await new FakeMercadoPago({ webhookSecret: WEBHOOK_SECRET }).start();
  const env = { ...realEnv(provider, single), ...rest.env };
  const app = await startPaymentsApp({ ...rest, env });
  const db = await openDatabase({ url: app.database.url, role: 'quita_worker' });
  const secrets = Object.fromEntries(SECRET_NAMES.map((name) => [name, `${name.toLowerCase()}-of-the-tests`]));
  const config = loadConfig({ NODE_ENV: 'test', ...secrets, ...env });
  const deps = composePayments(config, db, createCollectionWorkflows({ sandboxMaxWaitMs: 300 }), () => app.url);
  return {
    app,
    provider,
    worker: { db, deps: (laterMs = 0) => ({ ...deps, now: () => new Date(Date.now() + laterMs) }) },
    close: async () => {
      await db.close();
      await app.close();
      await provider.stop();
    },
  };
}

export interface ChargedDebtor extends Debtor {
  readonly paymentId: string;
  readonly providerId: string;
}

/** Creates a debt whose page was opened, so that there is a charge at the provider. */
export async function newCharge({ app }: RealApp, given: object = {}): Promise<ChargedDebtor> {
  const debtor = await newDebt(app, given);
  return openPage(app, debtor);
}

export async function openPage(app: CampaignsApp, debtor: Debtor): Promise<ChargedDebtor> {
  const page = await app.get(`/checkout/${debtor.id}`);
  if (page.status !== 200) throw new Error(`the page answered ${page.status}`);
  const { paymentId, providerPaymentId } = await readPayment(debtor);
  if (paymentId === null || providerPaymentId === null) throw new Error('no charge was made');
  return { ...debtor, paymentId, providerId: providerPaymentId };
}

export const tell = ({ app, provider }: RealApp, { providerId }: ChargedDebtor): Promise<number> =>
  provider.notify(providerId, { baseUrl: app.url });
