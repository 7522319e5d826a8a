/** Who makes Pix charges and knows whether they were paid. The provider's answer is the only truth about a payment. */
export const PAYMENT_PROVIDERS = ['sandbox', 'mercadopago'] as const;
export type PaymentProviderName = (typeof PAYMENT_PROVIDERS)[number];

export type ProviderPaymentStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'CANCELLED';

export interface PaymentCredentials {
  readonly accessToken: string;
}

export interface Payer {
  readonly firstName: string;
  readonly lastName: string;
  /** Eleven digits. */
  readonly cpf: string;
  readonly email?: string;
}

export interface CreateChargeInput {
  /** A UUID; one key is one charge. Everything else must be equal whenever the key is used again, `expiresAt` too. */
  readonly idempotencyKey: string;
  readonly amountCentavos: number;
  readonly description: string;
  /** Ours, and unique per charge: 1 to 64 of `A-Z a-z 0-9 - _`. */
  readonly externalReference: string;
  readonly payer: Payer;
  /** Absolute, with the `account` that finds the client's own secret. */
  readonly notificationUrl: string;
  /** Between 30 minutes and 30 days from now. */
  readonly expiresAt: Date;
  /** The client's own; `null` for the sandbox, which needs none. */
  readonly credentials: PaymentCredentials | null;
}

export interface CreatedCharge {
  readonly providerPaymentId: string;
  /** Kept by the caller: a provider may stop telling it once it is paid. */
  readonly brCode: string;
  readonly ticketUrl?: string;
  readonly expiresAt: Date;
}

/** What the provider says now, untouched: comparing it with what was asked is the caller's part. */
export interface ProviderCharge {
  readonly providerPaymentId: string;
  /**
   * The state now, not its history: refunded in full and charged back are CANCELLED, anything unknown is PENDING.
   * Whoever has already seen APPROVED never goes back because of a later state.
   */
  readonly status: ProviderPaymentStatus;
  readonly rawStatus: string;
  readonly statusDetail: string | null;
  readonly amountCentavos: number;
  /** What the payer really paid; 0 while nothing is confirmed. */
  readonly paidAmountCentavos: number;
  readonly refundedCentavos: number;
  readonly currency: string;
  readonly externalReference: string | null;
  readonly paidAt: Date | null;
  /** The Pix transaction's own id, when the provider tells it. */
  readonly endToEndId: string | null;
  readonly expiresAt: Date | null;
  readonly updatedAt: Date | null;
  readonly chargedBack: boolean;
  /** `null` once the provider no longer tells it. */
  readonly brCode: string | null;
}

export interface ProviderAccount {
  /** The provider's id of the account the money goes to. */
  readonly accountId: string;
}

export interface PaymentProvider {
  readonly name: PaymentProviderName;
  createCharge(input: CreateChargeInput): Promise<CreatedCharge>;
  /** Throws `not_found` for an unknown id, which a provider may also say shortly after its own notification. */
  getCharge(providerPaymentId: string, credentials: PaymentCredentials | null): Promise<ProviderCharge>;
  /** Cancelling twice is once; throws `conflict` when the charge was paid meanwhile. */
  cancelCharge(providerPaymentId: string, credentials: PaymentCredentials | null): Promise<ProviderCharge>;
  /** For what got lost between asking and storing; the newest first. */
  searchByExternalReference(
    externalReference: string,
    credentials: PaymentCredentials | null,
  ): Promise<readonly ProviderCharge[]>;
  /** Throws `unauthorized` when the provider does not take them, `rejected` when the account cannot receive Pix in reais. */
  checkCredentials(credentials: PaymentCredentials | null): Promise<ProviderAccount>;
}

/**
 * What a failure means for the caller:
 * - `retryable`: nothing happened; the same call may succeed later.
 * - `unknown_outcome`: it may have happened; only the same call with the same key, or asking, is safe.
 * - `rejected`: this input will never be taken.
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
  /** The provider's own codes; never its texts, which may repeat personal data. */
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

  /** Whether asking again may help; an unknown id may be known a moment later. */
  get retryable(): boolean {
    return this.kind === 'retryable' || this.kind === 'unknown_outcome' || this.kind === 'not_found';
  }

  /** What the engine's history may say of it. */
  get code(): PaymentProviderErrorKind {
    return this.kind;
  }
}

const MIN_LIFE_MS = 30 * 60_000;
const MAX_LIFE_MS = 30 * 24 * 3_600_000;

/** What no adapter takes; asked before anything leaves, so that a mistake is the same mistake everywhere. */
export function refuseBadCharge(input: CreateChargeInput, nowMs: number): void {
  const life = input.expiresAt.getTime() - nowMs;
  if (!Number.isSafeInteger(input.amountCentavos) || input.amountCentavos <= 0) {
    throw new PaymentProviderError('rejected', 'the amount is not a positive number of centavos');
  }
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(input.externalReference)) {
    throw new PaymentProviderError('rejected', 'the external reference is malformed');
  }
  if (!(life >= MIN_LIFE_MS && life <= MAX_LIFE_MS)) {
    throw new PaymentProviderError('rejected', 'a charge lives between 30 minutes and 30 days');
  }
}
