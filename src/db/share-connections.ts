import type { Pool, PoolClient } from 'pg';
import { createFairPlaces } from '../domain/fair-places.ts';

interface Sharing {
  readonly ownerOf: () => string | undefined;
  readonly timeoutMs: number;
}

type Connect = Pool['connect'];

/** The driver says the same when its own wait is over. */
const TIMED_OUT = 'timeout exceeded when trying to connect';

/**
 * Gives the next free connection to the client that has the fewest. Calls of one client that wait for the lock of one row
 * hold a connection each, and the pool would otherwise serve the calls behind them before those of anybody else.
 */
export function shareConnections(pool: Pool, { ownerOf, timeoutMs }: Sharing): void {
  const size = pool.options.max;
  const places = createFairPlaces({ atOnce: size, each: size });
  const leaving = new WeakMap<PoolClient, () => void>();
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const withCallback = pool.connect.bind(pool) as Connect;
  pool.on('release', (_error, client) => leaving.get(client)?.());

  const shared = async (): Promise<PoolClient> => {
    const { ready, leave } = places.take(ownerOf() ?? '');
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(TIMED_OUT)), timeoutMs);
    try {
      await Promise.race([ready, late]);
      const client = await connect();
      leaving.set(client, leave);
      return client;
    } catch (error) {
      leave();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  // The driver itself calls it with a callback, for single statements of the pool.
  pool.connect = ((callback?: Parameters<Connect>[0]) =>
    callback === undefined ? shared() : withCallback(callback)) as Connect;
}
