/** The grounds of the LGPD, art. 7, on which a client processes debtors' data: V and X, or I. */
export const LAWFUL_GROUNDS = ['contract', 'consent'] as const;
export type LawfulGround = (typeof LAWFUL_GROUNDS)[number];
