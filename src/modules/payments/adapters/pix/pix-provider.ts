import { z } from 'zod';
import {
  type PaymentCredentials,
  type PaymentProvider,
  PaymentProviderError,
  refuseBadCharge,
} from '../../ports/payment-provider.ts';
import { type BankClientOptions, createBankClient, pixCredentialsOf } from './bank-client.ts';
import { createChargesAtBank, profileOf } from './charges-at-bank.ts';
import { listReceived } from './received.ts';
import { createRefunds } from './refunds.ts';
import { bankIdOf } from './txid.ts';

const REFUND_DAYS = 90;
const webhookAnswer = z.object({ webhookUrl: z.string().max(2_048) });
const hasCode = (error: PaymentProviderError, part: string): boolean =>
  error.providerCodes.some((code) => code.toLowerCase().includes(part));

export interface PixProviderOptions extends BankClientOptions {
  readonly now?: () => Date;
}

export interface PixProvider extends PaymentProvider<'pix'> {
  /** Closes the connections to all banks. */
  close(): void;
}

/** The API Pix of the Central Bank, as many banks offer it. What a bank does differently is in its profile. */
export function createPixProvider({ now = () => new Date(), ...options }: PixProviderOptions): PixProvider {
  const bank = createBankClient(options);
  const charges = createChargesAtBank(bank, now);
  const refunds = createRefunds(bank, charges);

  /** Null while no address is set. */
  async function notificationAddress(credentials: PaymentCredentials | null): Promise<string | null> {
    try {
      const { webhookUrl } = await bank.send(credentials, {
        method: 'GET',
        ...webhookOf(credentials),
        read: (answer) => webhookAnswer.parse(answer),
      });
      return webhookUrl;
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error;
      if (error.kind === 'not_found' && !hasCode(error, 'chave')) return null;
      throw keyRefused(error, 'asked');
    }
  }

  return {
    name: 'pix',

    async createCharge(input) {
      pixCredentialsOf(input.credentials);
      refuseBadCharge(input, now().getTime());
      return charges.create(input);
    },

    getCharge: charges.get,
    cancelCharge: charges.remove,

    async searchByExternalReference(externalReference, credentials) {
      const txid = bankIdOf(externalReference);
      if (txid === null) return [];
      try {
        return [await charges.get(txid, credentials)];
      } catch (error) {
        if (error instanceof PaymentProviderError && error.kind === 'not_found') return [];
        throw error;
      }
    },

    capabilities: (credentials) => ({
      instruments: credentials !== null && profileOf(credentials).cobv ? ['pix', 'pix_due'] : ['pix'],
      refundDays: REFUND_DAYS,
      listsReceived: true,
    }),

    refund: refunds.refund,

    listReceived: (period, credentials) => listReceived(bank, period, credentials),

    async registerNotifications(url, credentials) {
      const before = await notificationAddress(credentials);
      if (before === url) return { before: null };
      await bank
        .send(credentials, {
          method: 'PUT',
          ...webhookOf(credentials),
          headers: profileOf(credentials).webhookHeaders,
          body: { webhookUrl: url },
          read: () => null,
        })
        .catch(async (error: unknown) => {
          if (!(error instanceof PaymentProviderError)) throw error;
          // What became of it is seen by asking; setting it twice has the effect of setting it once.
          if (error.kind === 'unknown_outcome' && (await notificationAddress(credentials)) === url) return;
          throw keyRefused(error, 'set');
        });
      return { before };
    },

    notificationAddress,

    async checkCredentials(credentials) {
      const { key } = pixCredentialsOf(credentials);
      const certificateExpiresAt = await bank.signIn(credentials);
      await notificationAddress(credentials);
      return { accountId: key, certificateExpiresAt };
    },

    close: () => bank.close(),
  };
}

const webhookOf = (credentials: PaymentCredentials | null) => ({
  path: `/webhook/${encodeURIComponent(pixCredentialsOf(credentials).key)}`,
  // A key may be a person's phone or e-mail.
  name: '/webhook/{chave}',
});

/**
 * The document answers 400 for a key that is not one of the account, and 404 while no address is set. Only where the
 * address is set may a 400 be about something else: the bank tries it, or does not like it.
 */
function keyRefused(error: PaymentProviderError, what: 'asked' | 'set'): PaymentProviderError {
  const isRefusal = error.kind === 'rejected' && error.httpStatus !== undefined;
  const isAboutKey = error.kind === 'not_found' || (isRefusal && (what === 'asked' || hasCode(error, 'chave')));
  if (!isAboutKey) return error;
  return new PaymentProviderError('rejected', 'the key is not one of the account', {
    providerCodes: ['key_unknown', ...error.providerCodes],
    ...(error.httpStatus === undefined ? {} : { httpStatus: error.httpStatus }),
  });
}
