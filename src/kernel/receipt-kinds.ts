/** `settlement` is the Termo de Quitação of a debt; the others are no quittance of the rest. */
export const RECEIPT_KINDS = ['settlement', 'part', 'instalment'] as const;
export type ReceiptKind = (typeof RECEIPT_KINDS)[number];
