/** How a debtor may have paid. A charge of a provider is always paid by Pix. */
export const PAYMENT_METHODS = ['pix', 'cash', 'bank_transfer', 'boleto', 'card', 'cheque', 'other'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
