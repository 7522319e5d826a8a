import { LRUCache } from 'lru-cache';

const MAX_PAIRS = 10_000;
const FORGET_AFTER_MS = 3_600_000;
const MAX_REFUSALS = 5;

/**
 * Counts how often WhatsApp has refused one pair of sender and recipient in a row. Meta asks its callers to wait 4^n
 * seconds after the refusal number n, counted from 0. Each process counts for itself: the count only stretches a wait.
 */
export function createPairWaits() {
  const refusals = new LRUCache<string, number>({ max: MAX_PAIRS, ttl: FORGET_AFTER_MS });
  return {
    refused(pair: string): number {
      const before = refusals.get(pair) ?? 0;
      refusals.set(pair, Math.min(before + 1, MAX_REFUSALS));
      return 4 ** before;
    },
    accepted: (pair: string) => void refusals.delete(pair),
  };
}

export type PairWaits = ReturnType<typeof createPairWaits>;
