export type TakeTurn = <T>(key: string, run: () => Promise<T>) => Promise<T>;

/**
 * One at a time for each key, in order of arrival. The lock in the database would hold too, but each that waits there
 * holds a connection: twenty imports of one client would leave none for anybody else.
 */
export function createTurns(): TakeTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (key, run) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(run, run);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
