export type KeyedMutex = <T>(key: string, run: () => Promise<T>) => Promise<T>;

/**
 * Runs one function at a time for each key, in the order of the calls. A lock in the database would suffice for
 * correctness, but each waiter there occupies a connection: twenty imports of one client would leave none for other
 * clients.
 */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return async (key, run) => {
    const previous = last.get(key) ?? Promise.resolve();
    const current = previous.then(run, run);
    last.set(key, current);
    try {
      return await current;
    } finally {
      if (last.get(key) === current) last.delete(key);
    }
  };
}
