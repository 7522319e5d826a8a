/** By which way a debtor accepted. Staff record what the debtor has accepted elsewhere. */
export const ACCEPTED_BY = ['page', 'message', 'staff'] as const;
export type AcceptedBy = (typeof ACCEPTED_BY)[number];

/** Why an agreement sends nothing and is not broken until a person has decided. */
export const STOP_REASONS = ['opt_out', 'dispute', 'hardship', 'wrong_person', 'death'] as const;
export type StopReason = (typeof STOP_REASONS)[number];
