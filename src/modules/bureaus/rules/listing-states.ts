/**
 * - `listed`: the debt is owed, and the listing stands.
 * - `to_remove`: it is paid or agreed about, and the term has not ended.
 * - `late`: the term has ended.
 * - `removed`: the client says that it was removed.
 */
export const LISTING_STATES = ['listed', 'to_remove', 'late', 'removed'] as const;
export type ListingState = (typeof LISTING_STATES)[number];
