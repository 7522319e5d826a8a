import type { EmbeddedPostgres } from '../../src/runtime/embedded-postgres.ts';
import { until } from './poll.ts';

/**
 * Kills a server and waits for the one that takes its place. Sessions answer on for a moment after their server's death;
 * a new server starts when the last of them is gone.
 */
export async function killPostgres(server: EmbeddedPostgres): Promise<void> {
  const before = server.pid()!;
  process.kill(before, 'SIGKILL');
  await until('another PostgreSQL', () => server.pid() !== undefined && server.pid() !== before);
}
