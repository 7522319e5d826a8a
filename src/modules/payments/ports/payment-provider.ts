import type { PaymentProviderName } from '../../../kernel/payment-providers.ts';
import { MAX_CHARGE_LIFETIME_MS, SHORTEST_CHARGE_LIFETIME_MS } from '../rules/charge-lifetime.ts';

/** Only a provider's answer proves a payment. */
export type ProviderPaymentStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'CANCELLED';

export interface PaymentCredentials {
  readonly accessToken: string;
}

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
  /** Between 30 minutes and 30 days from now. */
  readonly expiresAt: Date;
  /** The client's own credentials; `null` for the sandbox, which needs none. */
  readonly credentials: PaymentCredentials | null;
}

export interface CreatedCharge {
  readonly providerPaymentId: string;
  /** The caller stores it, because a provider may no longer return it once the charge is paid. */
  readonly brCode: string;
  readonly ticketUrl?: string;
  readonly expiresAt: Date;
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
  /** `null` once the provider no longer returns it. */
  readonly brCode: string | null;
}

export interface ProviderAccount {
  /** The provider's id of the account that receives the money. */
  readonly accountId: string;
}

export interface PaymentProvider<Name extends PaymentProviderName = PaymentProviderName> {
  readonly name: Name;
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
 */
export type PaymentProviderErrorKind =
  | 'retryable'
  | 'unknown_outcome'
  | 'rejected'
  | 'unauthorized'
  | 'not_found'
  | 'conflict';

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
  const life = input.expiresAt.getTime() - nowMs;
  if (!Number.isSafeInteger(input.amountCentavos) || input.amountCentavos <= 0) {
    throw new PaymentProviderError('rejected', 'the amount is not a positive number of centavos');
  }
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(input.externalReference)) {
    throw new PaymentProviderError('rejected', 'the external reference is malformed');
  }
  if (!(life >= SHORTEST_CHARGE_LIFETIME_MS && life <= MAX_CHARGE_LIFETIME_MS)) {
    throw new PaymentProviderError('rejected', 'a charge must expire between 30 minutes and 30 days from now');
  }
}
