export interface RecentEntriesOptions {
  /**
   * An entry is kept for at least this long after it was last used, and for at most twice as long while others come.
   */
  readonly ageMs: number;
  /** The least number of entries that is kept; with more entries the older ones are dropped early. */
  readonly room: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/**
 * Keeps recently used entries in bounded memory and without timers. There are two generations: the older one is dropped
 * as a whole, and an entry that is used moves to the younger one.
 */
export function createRecentEntries<Value extends object | true>(options: RecentEntriesOptions) {
  const { ageMs, room, now = () => performance.now() } = options;
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  let startedAt = now();

  const startGenerationWhenDue = (): void => {
    const at = now();
    if (young.size < room && at - startedAt < ageMs) return;
    old = young;
    young = new Map();
    startedAt = at;
  };

  return {
    use(key: string): Value | undefined {
      startGenerationWhenDue();
      const value = young.get(key) ?? old.get(key);
      if (value !== undefined) young.set(key, value);
      return value;
    },
    keep(key: string, value: Value): void {
      startGenerationWhenDue();
      young.set(key, value);
    },
    forget(key: string): void {
      young.delete(key);
      old.delete(key);
    },
    size: (): number => young.size + old.size,
  };
}
