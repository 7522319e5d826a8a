/**
 * By which duty a content was deleted: a person asked for it (LGPD, art. 18, VI), or the time for which the client keeps
 * conversations has ended (LGPD, arts. 15 and 16).
 */
export const ERASURE_DUTIES = ['erasure', 'retention'] as const;

export type ErasureDuty = (typeof ERASURE_DUTIES)[number];
