/** Whose debts a client collects: its own, or those of others, which some laws bind to more. */
export const COLLECTS_FOR = ['itself', 'others'] as const;
export type CollectsFor = (typeof COLLECTS_FOR)[number];
