import { addDays, DAY } from '../../kernel/calendar.ts';
import { REAL_PROVIDER_NAMES, type RealProviderName } from '../../kernel/payment-providers.ts';
import { createCertificateReader } from '../../modules/payments/adapters/pix/threads/certificate-reader.ts';
import type { PaymentProvider, ProviderCharge } from '../../modules/payments/ports/payment-provider.ts';
import type { PayableUntil } from '../../modules/payments/rules/charge-lifetime.ts';
import { createClientCredentials } from '../../modules/payments/use-cases/client-credentials.ts';
import type { ConnectDeps } from '../../modules/payments/use-cases/connect-account.ts';
import { createAesGcmCipher } from '../../platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { serviceClock } from '../../platform/runtime/service-clock.ts';
import { REGISTERED_PROVIDERS } from './payment-providers.ts';

/** Whole days earlier, a due date is not in the past of the provider where it is not in that of the service. */
function earlier(payable: PayableUntil, offsetMs: number): PayableUntil {
  const expiresAt = new Date(payable.expiresAt.getTime() - offsetMs);
  if (payable.kind === 'until') return { ...payable, expiresAt };
  return { ...payable, expiresAt, dueDate: addDays(payable.dueDate, -Math.floor(offsetMs / DAY)) };
}

/**
 * A provider lives in real time while `CLOCK_OFFSET` shifts the service: moments that go to the provider are moved to
 * real time, and its moments to the clock of the service. Without this it would refuse the end of a charge as past.
 */
function inRealTime(provider: PaymentProvider, offsetMs: number): PaymentProvider {
  if (offsetMs === 0) return provider;
  const shifted = <Moment extends Date | null>(moment: Moment): Moment =>
    (moment === null ? null : new Date(moment.getTime() + offsetMs)) as Moment;
  const shiftedCharge = (charge: ProviderCharge): ProviderCharge => ({
    ...charge,
    paidAt: shifted(charge.paidAt),
    expiresAt: shifted(charge.expiresAt),
    updatedAt: shifted(charge.updatedAt),
    settlements: charge.settlements.map((one) => ({
      ...one,
      paidAt: shifted(one.paidAt),
      creditedAt: shifted(one.creditedAt),
    })),
    reversals: charge.reversals.map((one) => ({
      ...one,
      at: shifted(one.at),
      contestUntil: shifted(one.contestUntil),
    })),
  });
  return {
    ...provider,
    createCharge: async (input) => {
      const created = await provider.createCharge({
        ...input,
        payable: earlier(input.payable, offsetMs),
      });
      return { ...created, expiresAt: shifted(created.expiresAt) };
    },
    getCharge: async (id, credentials) => shiftedCharge(await provider.getCharge(id, credentials)),
    cancelCharge: async (id, credentials) => shiftedCharge(await provider.cancelCharge(id, credentials)),
    searchByExternalReference: async (reference, credentials) =>
      (await provider.searchByExternalReference(reference, credentials)).map(shiftedCharge),
    refund: async (input) => {
      const made = await provider.refund(input);
      return { ...made, at: shifted(made.at), contestUntil: shifted(made.contestUntil) };
    },
    listReceived: async (asked, credentials) => {
      const back = (moment: Date): Date => new Date(moment.getTime() - offsetMs);
      const period = { ...asked, from: back(asked.from), to: back(asked.to) };
      const found = await provider.listReceived(period, credentials);
      return { ...found, items: found.items.map((one) => ({ ...one, paidAt: shifted(one.paidAt) })) };
    },
  };
}

/** Composes what connects an account of a client, for the API and for the operator's command. */
export function composeAccountConnection(config: Config, db: Database): ConnectDeps {
  const providers = Object.fromEntries(
    REAL_PROVIDER_NAMES.map((name) => [
      name,
      inRealTime(REGISTERED_PROVIDERS[name].create(config, db), config.clockOffset),
    ]),
  ) as Record<RealProviderName, PaymentProvider>;
  return {
    db,
    now: serviceClock(config.clockOffset),
    publicUrl: config.publicUrl,
    webhookSecrets: config.paymentWebhookSecret,
    credentials: createClientCredentials(db, createAesGcmCipher(config.encryptionKey)),
    providers,
    offeredProviders: config.paymentProviders,
    readCertificate: createCertificateReader(),
  };
}
