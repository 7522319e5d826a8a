import type { EmbeddedPostgres } from '../src/platform/runtime/embedded-postgres.ts';
import { until } from './poll.ts';

/**
 * Kills a server and waits for its replacement. Sessions still answer for a moment after the death of their server; a
 * new server starts when the last of them has ended.
 */
export async function killPostgres(server: EmbeddedPostgres): Promise<void> {
  const before = server.pid()!;
  process.kill(before, 'SIGKILL');
  await until('another PostgreSQL', () => server.pid() !== undefined && server.pid() !== before);
}
