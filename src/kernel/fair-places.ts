interface FairPlacesOptions {
  readonly atOnce: number;
  /** The most places of one owner, so that no owner ever has all of them. */
  readonly each: number;
}

export interface Place {
  /** Resolves when the place may be used. */
  readonly ready: Promise<void>;
  /** Gives the place back, or stops waiting for it. Further calls do nothing. */
  leave(): void;
}

interface Waiting {
  readonly owner: string;
  /** How many the owner had, in use or waiting, when this one came. */
  readonly before: number;
  readonly size: number;
  readonly start: () => void;
}

/**
 * Limits how much work is done at once. Who has less in progress comes first, then the smaller work, then the earlier
 * one: an owner with much work delays itself and not the others.
 */
export function createFairPlaces({ atOnce, each }: FairPlacesOptions) {
  const inUse = new Map<string, number>();
  let used = 0;
  let waiting: Waiting[] = [];
  const usedBy = (owner: string): number => inUse.get(owner) ?? 0;

  function startNext(): void {
    while (used < atOnce) {
      let next: Waiting | undefined;
      for (const one of waiting) {
        if (usedBy(one.owner) < each && (next === undefined || comesBefore(one, next))) next = one;
      }
      if (next === undefined) return;
      const chosen = next;
      waiting = waiting.filter((one) => one !== chosen);
      used += 1;
      inUse.set(chosen.owner, usedBy(chosen.owner) + 1);
      chosen.start();
    }
  }

  return {
    /** How many places the owner has, in use or waiting. */
    of: (owner: string): number => usedBy(owner) + waiting.filter((one) => one.owner === owner).length,
    waiting: (): number => waiting.length,
    take(owner: string, size = 0): Place {
      let state: 'waiting' | 'in use' | 'left' = 'waiting';
      const { promise, resolve } = Promise.withResolvers<void>();
      const start = (): void => {
        state = 'in use';
        resolve();
      };
      const own: Waiting = { owner, before: this.of(owner), size, start };
      waiting.push(own);
      startNext();
      return {
        ready: promise,
        leave() {
          if (state === 'waiting') waiting = waiting.filter((one) => one !== own);
          if (state === 'in use') {
            used -= 1;
            if (usedBy(owner) === 1) inUse.delete(owner);
            else inUse.set(owner, usedBy(owner) - 1);
          }
          state = 'left';
          startNext();
        },
      };
    },
  };
}

export type FairPlaces = ReturnType<typeof createFairPlaces>;

const comesBefore = (one: Waiting, other: Waiting): boolean =>
  one.before === other.before ? one.size < other.size : one.before < other.before;
