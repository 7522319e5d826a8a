/** Returns the form in which two spellings of an invoice are compared. Capitals do not make another invoice. */
export const invoiceKeyOf = (invoiceId: string): string => invoiceId.normalize('NFC').toLowerCase();
