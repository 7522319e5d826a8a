export interface RecentEntriesOptions {
  /** An entry is kept for at least this long after it was last used, and for at most twice as long while others come. */
  readonly ageMs: number;
  /** So many are kept at least; a flood of more makes the older ones be forgotten early. */
  readonly room: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/**
 * What was used lately, in bounded memory and without timers: two generations, of which the older one is dropped as a
 * whole. An entry that is used moves to the younger one.
 */
export function createRecentEntries<Value extends object | true>(options: RecentEntriesOptions) {
  const { ageMs, room, now = () => performance.now() } = options;
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  let begunAt = now();

  const beginGeneration = (): void => {
    const at = now();
    if (young.size < room && at - begunAt < ageMs) return;
    old = young;
    young = new Map();
    begunAt = at;
  };

  return {
    use(key: string): Value | undefined {
      beginGeneration();
      const value = young.get(key) ?? old.get(key);
      if (value !== undefined) young.set(key, value);
      return value;
    },
    keep(key: string, value: Value): void {
      beginGeneration();
      young.set(key, value);
    },
    forget(key: string): void {
      young.delete(key);
      old.delete(key);
    },
    size: (): number => young.size + old.size,
  };
}
