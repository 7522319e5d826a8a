import type { Pool, PoolClient } from 'pg';

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
