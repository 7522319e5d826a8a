import type { PaymentProviderName } from '../../../kernel/payment-providers.ts';
import { MAX_CHARGE_LIFETIME_MS, type PayableUntil, SHORTEST_CHARGE_LIFETIME_MS } from '../rules/charge-lifetime.ts';
import type { ProviderReversal } from '../rules/refunds.ts';

/** Only a provider's answer proves a payment. */
export type ProviderPaymentStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'CANCELLED';

/** What a debtor pays by. A provider says which of them it makes. */
export const INSTRUMENTS = ['pix', 'pix_due', 'boleto', 'card_link'] as const;
export type InstrumentKind = (typeof INSTRUMENTS)[number];

/** One way to pay a charge. The first that is paid wins: the provider closes the others of the same charge. */
export type Instrument =
  | { readonly kind: 'pix' | 'pix_due'; readonly brCode: string }
  | { readonly kind: 'boleto'; readonly digitableLine: string; readonly ourNumber: string }
  | { readonly kind: 'card_link'; readonly url: string };

export const brCodeOf = (instruments: readonly Instrument[]): string | null => {
  for (const one of instruments) if (one.kind === 'pix' || one.kind === 'pix_due') return one.brCode;
  return null;
};

export interface ProviderCapabilities {
  readonly instruments: readonly InstrumentKind[];
  /** Money can be given back for so many days after the payment; null when it cannot. */
  readonly refundDays: number | null;
  /** Whether `listReceived` finds payments of which no notification told. */
  readonly listsReceived: boolean;
}

export interface TokenCredentials {
  readonly kind: 'token';
  readonly accessToken: string;
}

/** A bank's API Pix. The profile has the bank's addresses and habits; `custom` alone has its own here. */
export interface PixCredentials {
  readonly kind: 'pix';
  readonly profile: string;
  readonly clientId: string;
  /** Null for a bank that knows its client by the certificate alone. */
  readonly clientSecret: string | null;
  /** The Pix key to which the money goes. */
  readonly key: string;
  /** As PEM; null where the bank asks for none. */
  readonly certificate: { readonly certificatePem: string; readonly privateKeyPem: string } | null;
  /** What a bank gives its client beside these, by the names of the profile (`extras`). */
  readonly extra: Readonly<Record<string, string>>;
  readonly custom: { readonly baseUrl: string; readonly tokenUrl: string; readonly caPem: string | null } | null;
}

export type PaymentCredentials = TokenCredentials | PixCredentials;

export interface Payer {
  /** The whole name of a company. */
  readonly firstName: string;
  /** Empty for a company. */
  readonly lastName: string;
  /** Without punctuation. */
  readonly taxId: { readonly kind: 'CPF' | 'CNPJ'; readonly number: string };
  readonly email?: string;
}

export interface CreateChargeInput {
  /** A UUID that identifies one charge. Every call with the same key must have equal input, including `expiresAt`. */
  readonly idempotencyKey: string;
  readonly amountCentavos: number;
  readonly description: string;
  /** The service's own reference, unique for each charge: 1 to 64 of `A-Z a-z 0-9 - _`. */
  readonly externalReference: string;
  readonly payer: Payer;
  /** An absolute URL with the parameter `account`, which finds the client's own secret. */
  readonly notificationUrl: string;
  /** Between 30 minutes and 30 days from now, unless the provider makes charges for a due date. */
  readonly payable: PayableUntil;
  /** The client's own credentials; `null` for the sandbox, which needs none. */
  readonly credentials: PaymentCredentials | null;
}

export interface CreatedCharge {
  readonly providerPaymentId: string;
  /**
   * What the charge can be paid by; the caller stores it, because a provider may no longer return it once the charge is
   * paid. Empty while the provider is still registering the charge: `getCharge` says later that it is payable, or that
   * it was refused.
   */
  readonly instruments: readonly Instrument[];
  readonly expiresAt: Date;
}

/** Money that came for a charge. */
export interface ProviderSettlement {
  /** The id of the Pix transaction, when there is one. */
  readonly endToEndId: string | null;
  readonly amountCentavos: number;
  /** What the provider says the money is made of, when the provider itself computed charges. Its total is never computed again. */
  readonly components: {
    readonly principalCentavos: number;
    readonly fineCentavos: number;
    readonly interestCentavos: number;
    readonly discountCentavos: number;
  } | null;
  readonly paidAt: Date;
  /** When the creditor has the money, where that is another moment. */
  readonly creditedAt: Date | null;
  readonly channel: InstrumentKind | 'other';
}

export interface RefundInput {
  /** A UUID that identifies one refund. A repetition with the same id gives nothing back again. */
  readonly refundId: string;
  readonly providerPaymentId: string;
  readonly endToEndId: string | null;
  readonly amountCentavos: number;
  readonly credentials: PaymentCredentials | null;
}

/** Money that came to the account, whether or not a charge of ours asked for it. */
export interface ReceivedPayment {
  readonly endToEndId: string;
  /** The charge that it paid; null for money that came without one. */
  readonly providerPaymentId: string | null;
  readonly amountCentavos: number;
  /** What has gone back of it. */
  readonly returnedCentavos: number;
  /** Its returns one by one, also those that have not ended. */
  readonly reversals: readonly ProviderReversal[];
  readonly paidAt: Date;
}

export interface ReceivedPage {
  readonly items: readonly ReceivedPayment[];
  /** Where the next page begins; null after the last one. */
  readonly next: string | null;
  /** So many pages follow at least, by what the provider says. */
  readonly pagesLeft: number;
}

/** What the provider reports now, unchanged; the caller compares it with the charge that it requested. */
export interface ProviderCharge {
  readonly providerPaymentId: string;
  /**
   * The current state without its history: fully refunded and charged back are CANCELLED, a chargeback that was
   * reversed is APPROVED, an unknown state is PENDING.
   * A caller that has seen APPROVED keeps it whatever state follows.
   */
  readonly status: ProviderPaymentStatus;
  readonly rawStatus: string;
  readonly statusDetail: string | null;
  readonly amountCentavos: number;
  /** The amount that the payer really paid; 0 while no payment is confirmed. */
  readonly paidAmountCentavos: number;
  readonly refundedCentavos: number;
  readonly currency: string;
  readonly externalReference: string | null;
  readonly paidAt: Date | null;
  /** The id of the Pix transaction, when the provider returns it. */
  readonly endToEndId: string | null;
  readonly expiresAt: Date | null;
  readonly updatedAt: Date | null;
  /** True while the money is taken back; false again when the chargeback was reversed. */
  readonly chargedBack: boolean;
  /** Empty while the charge is being registered, and once the provider no longer returns them. */
  readonly instruments: readonly Instrument[];
  /** The payments and returns one by one, as far as the provider tells them; the sums above are about all of them. */
  readonly settlements: readonly ProviderSettlement[];
  readonly reversals: readonly ProviderReversal[];
}

export interface ProviderAccount {
  /** The provider's id of the account that receives the money. */
  readonly accountId: string;
  /** When the certificate of the credentials ends; null where there is none. */
  readonly certificateExpiresAt: Date | null;
}

export interface PaymentProvider<Name extends PaymentProviderName = PaymentProviderName> {
  readonly name: Name;
  capabilities(credentials: PaymentCredentials | null): ProviderCapabilities;
  createCharge(input: CreateChargeInput): Promise<CreatedCharge>;
  /** Throws `not_found` for an unknown id; a provider may also answer this shortly after its own notification. */
  getCharge(providerPaymentId: string, credentials: PaymentCredentials | null): Promise<ProviderCharge>;
  /** Cancelling twice has the effect of cancelling once; throws `conflict` when the charge was paid meanwhile. */
  cancelCharge(providerPaymentId: string, credentials: PaymentCredentials | null): Promise<ProviderCharge>;
  /** Finds charges that were created but not stored because the answer was lost; the newest comes first. */
  searchByExternalReference(
    externalReference: string,
    credentials: PaymentCredentials | null,
  ): Promise<readonly ProviderCharge[]>;
  /** Throws `conflict` when so much cannot be given back, `unsupported` when the provider gives nothing back. */
  refund(input: RefundInput): Promise<ProviderReversal>;
  /**
   * The payments of a period, in any order; with `onlyReturned` those of which something has gone back. Throws
   * `unsupported` where `listsReceived` is false.
   */
  listReceived(
    period: {
      readonly from: Date;
      readonly to: Date;
      readonly page: string | null;
      readonly onlyReturned?: boolean;
    },
    credentials: PaymentCredentials | null,
  ): Promise<ReceivedPage>;
  /**
   * Tells the provider where notifications of the account go, when they have one address for the account and not one
   * for each charge. Returns the address at which they arrived before, when it was another one.
   */
  registerNotifications(
    url: string,
    credentials: PaymentCredentials | null,
  ): Promise<{ readonly before: string | null }>;
  /** The address at which notifications of the account arrive now; null where each charge names its own, or none is set. */
  notificationAddress(credentials: PaymentCredentials | null): Promise<string | null>;
  /** Throws `unauthorized` when the provider refuses them, `rejected` when the account cannot receive Pix in reais. */
  checkCredentials(credentials: PaymentCredentials | null): Promise<ProviderAccount>;
}

/**
 * What a failure means for the caller:
 * - `retryable`: the call had no effect; the same call may succeed later.
 * - `unknown_outcome`: the call may have had an effect; only the same call with the same key, or a query, is safe.
 * - `rejected`: the provider will never accept this input.
 * - `unauthorized`: the credentials are wrong; an operator has to act.
 * - `not_found`: the provider does not know this id, or not yet.
 * - `conflict`: the provider's state contradicts the call (already paid, or a key used for something else).
 * - `unsupported`: the provider does not offer this.
 */
export type PaymentProviderErrorKind =
  | 'retryable'
  | 'unknown_outcome'
  | 'rejected'
  | 'unauthorized'
  | 'not_found'
  | 'conflict'
  | 'unsupported';

export interface PaymentProviderErrorOptions {
  readonly retryAfterSeconds?: number;
  readonly httpStatus?: number;
  /** The provider's own codes, but never its texts, which may repeat personal data. */
  readonly providerCodes?: readonly string[];
}

export class PaymentProviderError extends Error {
  readonly kind: PaymentProviderErrorKind;
  readonly retryAfterSeconds: number | undefined;
  readonly httpStatus: number | undefined;
  readonly providerCodes: readonly string[];

  constructor(kind: PaymentProviderErrorKind, message: string, options: PaymentProviderErrorOptions = {}) {
    super(message);
    this.name = 'PaymentProviderError';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.httpStatus = options.httpStatus;
    this.providerCodes = options.providerCodes ?? [];
  }

  /** Whether another call may succeed; the provider may know an unknown id a moment later. */
  get retryable(): boolean {
    return this.kind === 'retryable' || this.kind === 'unknown_outcome' || this.kind === 'not_found';
  }

  /** The only part of the error that Temporal's history may contain. */
  get code(): PaymentProviderErrorKind {
    return this.kind;
  }
}

/** Refuses input that no adapter accepts, before anything is sent, so that every adapter refuses it in the same way. */
export function refuseBadCharge(input: CreateChargeInput, nowMs: number): void {
  const life = input.payable.expiresAt.getTime() - nowMs;
  if (!Number.isSafeInteger(input.amountCentavos) || input.amountCentavos <= 0) {
    throw new PaymentProviderError('rejected', 'the amount is not a positive number of centavos');
  }
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(input.externalReference)) {
    throw new PaymentProviderError('rejected', 'the external reference is malformed');
  }
  if (input.payable.kind === 'due') return;
  if (!(life >= SHORTEST_CHARGE_LIFETIME_MS && life <= MAX_CHARGE_LIFETIME_MS)) {
    throw new PaymentProviderError('rejected', 'a charge must expire between 30 minutes and 30 days from now');
  }
}

/** Refuses a refund of an amount that no adapter accepts. */
export function refuseBadRefund({ amountCentavos }: RefundInput): void {
  if (!Number.isSafeInteger(amountCentavos) || amountCentavos <= 0) {
    throw new PaymentProviderError('rejected', 'the amount is not a positive number of centavos');
  }
}
