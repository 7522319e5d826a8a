/** A worker and its relay in a process of their own; a line on stdin asks for its memory after a collection. */
import { createInterface } from 'node:readline';
import { startCampaignsApp } from '../../test/campaigns/support.ts';

await startCampaignsApp({
  roles: ['worker', 'relay'],
  database: { url: process.env['BENCH_DATABASE_URL'] ?? '', name: 'postgres', drop: async () => undefined },
});
createInterface(process.stdin).on('line', () => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ rss, heapUsed })}\n`);
});
process.stdout.write('ready\n');
