import {
  type CreateChargeInput,
  type PaymentCredentials,
  type PaymentProvider,
  PaymentProviderError,
  type ProviderCharge,
  type RefundInput,
  refuseBadCharge,
  refuseBadRefund,
} from '../../ports/payment-provider.ts';
import type { ProviderReversal } from '../../rules/refunds.ts';
import { createHttpClient, type HttpClientOptions } from './http-client.ts';
import { readPayment, readRefund, readSearch, readUser } from './payment-answer.ts';

const BRAZIL = 'MLB';
const BRASILIA_OFFSET_MS = -3 * 3_600_000;

/**
 * Uses the Payments API, because the Orders API refuses a notification address per charge, and the service's address
 * names the client's account.
 */
export function createMercadoPagoProvider(options: HttpClientOptions): PaymentProvider<'mercadopago'> {
  const request = createHttpClient(options);

  const getCharge = (id: string, credentials: PaymentCredentials | null) =>
    request({ method: 'GET', path: paymentPath(id), accessToken: tokenOf(credentials), read: readPaymentOf(id) });

  return {
    name: 'mercadopago',

    async createCharge(input) {
      const accessToken = tokenOf(input.credentials);
      refuseBadCharge(input, Date.now());
      const answer = await request({
        method: 'POST',
        path: '/v1/payments',
        accessToken,
        idempotencyKey: input.idempotencyKey,
        body: paymentBody(input),
        read: readPayment,
      }).catch(rejectMissingResource);
      return createdCharge(input, answer);
    },

    getCharge,

    async cancelCharge(id, credentials) {
      const accessToken = tokenOf(credentials);
      try {
        const body = { status: 'cancelled' };
        return await request({ method: 'PUT', path: paymentPath(id), accessToken, body, read: readPaymentOf(id) });
      } catch (error) {
        if (!(error instanceof PaymentProviderError) || error.kind !== 'conflict') throw error;
        const now = await getCharge(id, credentials);
        if (now.rawStatus !== 'cancelled') throw error;
        return now;
      }
    },

    async searchByExternalReference(externalReference, credentials) {
      const query = new URLSearchParams({
        external_reference: externalReference,
        sort: 'date_created',
        criteria: 'desc',
      });
      const found = await request({
        method: 'GET',
        path: `/v1/payments/search?${query}`,
        accessToken: tokenOf(credentials),
        read: readSearch,
      });
      // A provider that ignores the filter would otherwise return the payment of somebody else.
      return found.filter((payment) => payment.externalReference === externalReference);
    },

    capabilities: () => ({ instruments: ['pix'], refundDays: 90, listsReceived: false }),

    async refund(input) {
      const accessToken = tokenOf(input.credentials);
      refuseBadRefund(input);
      const before = await getCharge(input.providerPaymentId, input.credentials);
      try {
        return await request({
          method: 'POST',
          path: `${paymentPath(input.providerPaymentId)}/refunds`,
          accessToken,
          idempotencyKey: input.refundId,
          // Without it a refund that the Pix system delays is answered as refused, and may still be made.
          headers: { 'x-render-in-process-refunds': 'true' },
          body: { amount: input.amountCentavos / 100 },
          read: readRefund,
        });
      } catch (error) {
        if (!(error instanceof PaymentProviderError)) throw error;
        if (error.kind !== 'unknown_outcome' && error.kind !== 'rejected') throw error;
        return decideByReading(input, before, await getCharge(input.providerPaymentId, input.credentials), error);
      }
    },

    // An account also has the sales of a shop, which concern no debt.
    async listReceived() {
      throw new PaymentProviderError('unsupported', 'the payments of the account are not listed');
    },

    // Each charge names its own address.
    registerNotifications: async () => ({ before: null }),
    notificationAddress: async () => null,

    async checkCredentials(credentials) {
      const accessToken = tokenOf(credentials);
      const user = await request({ method: 'GET', path: '/users/me', accessToken, read: readUser });
      if (user.siteId !== BRAZIL) throw new PaymentProviderError('rejected', 'the account is not Brazilian');
      return { accountId: user.id, certificateExpiresAt: null };
    },
  };
}

/**
 * What is read decides about a refund whose answer was lost or says nothing: it is there since, or the payment has not so
 * much left.
 */
function decideByReading(
  { amountCentavos }: RefundInput,
  before: ProviderCharge,
  now: ProviderCharge,
  error: PaymentProviderError,
): ProviderReversal {
  const known = new Set(before.reversals.map(({ id }) => id));
  const made = now.reversals.find(
    (one) => one.kind === 'refund' && !known.has(one.id) && one.amountCentavos === amountCentavos,
  );
  if (made !== undefined && error.kind === 'unknown_outcome') return made;
  const left = now.status === 'APPROVED' ? now.paidAmountCentavos - now.refundedCentavos : 0;
  if (error.kind === 'rejected' && left < amountCentavos) {
    throw new PaymentProviderError('conflict', 'Mercado Pago: so much cannot be given back', {
      providerCodes: error.providerCodes,
    });
  }
  throw error;
}

function tokenOf(credentials: PaymentCredentials | null): string {
  // Other characters are not allowed in a header value.
  if (credentials?.kind !== 'token' || !/^[\x21-\x7e]{1,512}$/.test(credentials.accessToken)) {
    throw new PaymentProviderError('unauthorized', 'there is no usable access token');
  }
  return credentials.accessToken;
}

function paymentBody(input: CreateChargeInput) {
  const { payer } = input;
  return {
    transaction_amount: input.amountCentavos / 100,
    description: input.description,
    payment_method_id: 'pix',
    external_reference: input.externalReference,
    notification_url: input.notificationUrl,
    date_of_expiration: brasiliaTime(input.payable.expiresAt),
    payer: {
      // The provider requires an e-mail; a debtor without one gets an address at this service's own host, which nobody
      // else can read.
      email: payer.email ?? `pix-${input.externalReference}@${new URL(input.notificationUrl).hostname}`,
      first_name: payer.firstName,
      last_name: payer.lastName,
      // The provider calls every legal entity an association.
      entity_type: payer.taxId.kind === 'CNPJ' ? 'association' : 'individual',
      identification: { type: payer.taxId.kind, number: payer.taxId.number },
    },
  };
}

/** Refuses a code for another amount, debt or currency, because such a code must never reach a debtor. */
function createdCharge(input: CreateChargeInput, answer: ProviderCharge) {
  if (
    answer.amountCentavos !== input.amountCentavos ||
    answer.currency !== 'BRL' ||
    answer.externalReference !== input.externalReference
  ) {
    throw new PaymentProviderError('conflict', 'Mercado Pago answered with another charge than the requested one');
  }
  if (answer.status === 'REJECTED' || answer.status === 'CANCELLED') {
    throw new PaymentProviderError('rejected', 'Mercado Pago refused the charge', {
      providerCodes: [answer.rawStatus, ...(answer.statusDetail === null ? [] : [answer.statusDetail])],
    });
  }
  if (answer.instruments.length === 0) {
    throw new PaymentProviderError('unknown_outcome', 'Mercado Pago created the charge but returned no code');
  }
  return {
    providerPaymentId: answer.providerPaymentId,
    instruments: answer.instruments,
    expiresAt: answer.expiresAt ?? input.payable.expiresAt,
  };
}

/** Refuses an answer that is about another payment. */
function readPaymentOf(id: string) {
  return (answer: unknown): ProviderCharge => {
    const payment = readPayment(answer);
    if (payment.providerPaymentId !== id) throw new TypeError('the answer is about another payment');
    return payment;
  };
}

/**
 * A POST names no resource to find, so 404 means that the address or the account's set-up is wrong: retries are
 * useless.
 */
function rejectMissingResource(error: unknown): never {
  if (!(error instanceof PaymentProviderError) || error.kind !== 'not_found') throw error;
  throw new PaymentProviderError('rejected', error.message, { providerCodes: error.providerCodes, httpStatus: 404 });
}

function paymentPath(id: string): string {
  return `/v1/payments/${encodeURIComponent(id)}`;
}

/** Writes `2026-11-21T12:00:00.000-03:00`, the only form that the provider documents. */
function brasiliaTime(at: Date): string {
  return new Date(at.getTime() + BRASILIA_OFFSET_MS).toISOString().replace('Z', '-03:00');
}
