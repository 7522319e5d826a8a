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
