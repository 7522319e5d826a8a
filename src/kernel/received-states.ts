/**
 * What became of a payment that the client received elsewhere: `unmatched` when no debt fits, `ambiguous` when several
 * may, `undone` when a wrong match was taken back, `dismissed` when it pays no debt of the client.
 */
export const RECEIVED_STATES = ['settled', 'unmatched', 'ambiguous', 'undone', 'dismissed'] as const;
export type ReceivedState = (typeof RECEIVED_STATES)[number];

/** The states in which a person decides which debt the payment is for. */
export const UNDECIDED_STATES = ['unmatched', 'ambiguous', 'undone'] as const satisfies readonly ReceivedState[];

/** Where a received payment is told of: in a file, or by a bank that received it without a charge. */
export const RECEIVED_SOURCES = ['file', 'bank'] as const;
export type ReceivedSource = (typeof RECEIVED_SOURCES)[number];

/**
 * Why it is not certain which debt a received payment is for. `debt_not_found`: no debt has this invoice, or this CPF or
 * CNPJ. `no_open_debt`: the person owes nothing. `amount_differs`: the amount is not what is owed. `amount_alone`: only the
 * amount fits. `several_debts`: more than one debt fits. `tax_id_differs`: the invoice is that of another person.
 * `date_differs`: the money came long before the debt was due. `same_day`: a payment of the same amount of the same day is
 * recorded already. `invoice_differs`: the person and the amount fit, and the invoice is another one.
 */
export const RECEIVED_DOUBTS = [
  'debt_not_found',
  'no_open_debt',
  'amount_differs',
  'amount_alone',
  'several_debts',
  'tax_id_differs',
  'date_differs',
  'same_day',
  'invoice_differs',
] as const;
export type ReceivedDoubt = (typeof RECEIVED_DOUBTS)[number];
