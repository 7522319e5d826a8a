import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startBenchApp } from './bench-app.ts';

const RESOLUTION_MS = 2;

/** Runs only the API, and tells at an address of its own how long its event loop was kept since the last question. */
const app = await startBenchApp(process.env['BENCH_DATABASE_URL'] ?? '');
const { id, token } = await app.newClient();
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();
const watch = createServer((_, response) => {
  const ms = (nanoseconds: number) => nanoseconds / 1e6 - RESOLUTION_MS;
  response.end(JSON.stringify({ longest: ms(delays.max), p99: ms(delays.percentile(99)) }));
  delays.reset();
});
watch.listen(0, '127.0.0.1', () => {
  const { port } = watch.address() as AddressInfo;
  const watchUrl = `http://127.0.0.1:${port}`;
  process.stdout.write(`${JSON.stringify({ url: app.url, clientId: id, token, watchUrl })}\n`);
});
