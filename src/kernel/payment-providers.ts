/** Services that create Pix charges and know whether they were paid. */
export const PAYMENT_PROVIDERS = ['sandbox', 'mercadopago'] as const;
export type PaymentProviderName = (typeof PAYMENT_PROVIDERS)[number];

/** Where a payment came from. `outside` is a payment that the client received elsewhere and recorded itself. */
export const PAYMENT_SOURCES = [...PAYMENT_PROVIDERS, 'outside'] as const;
export type PaymentSource = (typeof PAYMENT_SOURCES)[number];

/** The money did not pass through a provider, so the creditor alone knows the day. */
export const isOutside = ({ provider }: { readonly provider: string }): boolean => provider === 'outside';
