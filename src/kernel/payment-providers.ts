/** Services through which real money moves, each with the name that people read. */
export const REAL_PROVIDERS = { mercadopago: 'Mercado Pago', pix: 'Pix' } as const;
export type RealProviderName = keyof typeof REAL_PROVIDERS;
export const REAL_PROVIDER_NAMES = Object.keys(REAL_PROVIDERS) as RealProviderName[];

/** Services that create Pix charges and know whether they were paid. */
export type PaymentProviderName = 'sandbox' | RealProviderName;

/**
 * Where a payment came from. `outside` is a payment that the client received elsewhere and recorded itself; `agreement` is
 * what a debt gets of a payment that was made by an agreement about it.
 */
export const PAYMENT_SOURCES = ['sandbox', ...REAL_PROVIDER_NAMES, 'outside', 'agreement'] as const;
export type PaymentSource = (typeof PAYMENT_SOURCES)[number];

/** The money did not pass through a provider, so the creditor alone knows the day. */
export const isOutside = ({ provider }: { readonly provider: string }): boolean => provider === 'outside';
