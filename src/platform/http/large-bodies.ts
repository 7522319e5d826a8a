import { createFairPlaces } from '../../kernel/fair-places.ts';

/** A smaller body is parsed and checked within a few milliseconds. */
const LARGE_CHARACTERS = 32 * 1024;

/** Waits until the body of this owner may be parsed. The caller calls what it returns when it is done with the body. */
export type LargeBodies = (owner: string, characters: number) => Promise<() => void>;

/**
 * Lets large bodies of JSON be parsed, checked and digested one after the other, and everything else that has arrived
 * between two of them: sixty at once would keep all other calls waiting for seconds.
 */
export function createLargeBodies(): LargeBodies {
  const turns = createFairPlaces({ atOnce: 1, each: 1 });
  return async (owner, characters) => {
    if (characters <= LARGE_CHARACTERS) return () => undefined;
    const { ready, leave } = turns.take(owner, characters);
    await ready;
    return () => void setImmediate(leave);
  };
}
