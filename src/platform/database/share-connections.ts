import type { Pool, PoolClient } from 'pg';

interface Sharing {
  readonly ownerOf: () => string | undefined;
  readonly timeoutMs: number;
}

interface Waiting {
  readonly owner: string;
  readonly start: () => void;
}

type Connect = Pool['connect'];

/** The driver says the same when its own wait is over. */
const TIMED_OUT = 'timeout exceeded when trying to connect';

/**
 * Gives the next free connection to the client that has the fewest, and among those to the earliest call. Calls of one
 * client that wait for the lock of one row hold a connection each, and the pool would otherwise serve the calls behind
 * them before those of anybody else.
 */
export function shareConnections(pool: Pool, { ownerOf, timeoutMs }: Sharing): void {
  const inUse = new Map<string, number>();
  const waiting = new Set<Waiting>();
  const leaving = new WeakMap<PoolClient, () => void>();
  const connect = pool.connect.bind(pool) as Connect & (() => Promise<PoolClient>);
  let free = pool.options.max;

  function startNext(): void {
    while (free > 0) {
      let next: Waiting | undefined;
      for (const one of waiting) {
        if (next === undefined || (inUse.get(one.owner) ?? 0) < (inUse.get(next.owner) ?? 0)) next = one;
      }
      if (next === undefined) return;
      waiting.delete(next);
      free -= 1;
      inUse.set(next.owner, (inUse.get(next.owner) ?? 0) + 1);
      next.start();
    }
  }

  function leave(owner: string): void {
    free += 1;
    const left = (inUse.get(owner) ?? 0) - 1;
    if (left > 0) inUse.set(owner, left);
    else inUse.delete(owner);
    startNext();
  }

  const placeOf = (owner: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(own);
        reject(new Error(TIMED_OUT));
      }, timeoutMs);
      const own: Waiting = {
        owner,
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      waiting.add(own);
      startNext();
    });

  const shared = async (): Promise<PoolClient> => {
    const owner = ownerOf() ?? '';
    await placeOf(owner);
    try {
      const client = await connect();
      leaving.set(client, () => leave(owner));
      return client;
    } catch (error) {
      leave(owner);
      throw error;
    }
  };
  pool.on('release', (_error, client) => {
    const left = leaving.get(client);
    leaving.delete(client);
    left?.();
  });
  // The driver itself calls it with a callback, for single statements of the pool.
  pool.connect = ((callback?: Parameters<Connect>[0]) =>
    callback === undefined ? shared() : connect(callback)) as Connect;
}

/**
 * Returns a client to its pool when its connection ends while it is in use. Kysely, under MikroORM, does not return it:
 * the rollback fails on the closed connection and the client stays taken, so that a pool would be empty after as many
 * losses as it has clients.
 */
export function releaseLostConnections(pool: Pool): void {
  const listeners = new WeakMap<PoolClient, () => void>();
  pool.on('acquire', (client) => {
    const lost = (): void => {
      client.release(true);
      // The user of the client may still release it, and the pool throws at a second release.
      client.release = () => {};
    };
    listeners.set(client, lost);
    client.once('end', lost);
  });
  pool.on('release', (_error, client) => {
    const lost = listeners.get(client as PoolClient);
    if (lost !== undefined) client.off('end', lost);
  });
}
