import type { Pool, PoolClient } from 'pg';

/**
 * Gives a client back to its pool when its connection ends while somebody holds it. Kysely, under MikroORM, does not:
 * its rollback fails on the dead connection, and it keeps the client for ever, so that after as many losses as the pool
 * is large nothing could be served any more.
 */
export function releaseLostConnections(pool: Pool): void {
  const listeners = new WeakMap<PoolClient, () => void>();
  pool.on('acquire', (client) => {
    const lost = (): void => {
      client.release(true);
      // The holder may still do so too, and the pool throws at a second time.
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
