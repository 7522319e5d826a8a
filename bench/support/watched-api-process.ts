import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startBenchApp } from './bench-app.ts';

const RESOLUTION_MS = 2;

/**
 * Runs only the API, and tells at an address of its own how long its event loop was kept since the last question: by the
 * clock, in which other work of the machine counts too, and by the CPU time of its thread between two timers.
 */
const app = await startBenchApp(process.env['BENCH_DATABASE_URL'] ?? '');
const { id, token } = await app.newClient();
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
let used = cpuMs();
let longestCpu = 0;
setInterval(() => {
  const now = cpuMs();
  longestCpu = Math.max(longestCpu, now - used);
  used = now;
}, RESOLUTION_MS);
const watch = createServer((_, response) => {
  const ms = (nanoseconds: number) => nanoseconds / 1e6 - RESOLUTION_MS;
  response.end(JSON.stringify({ longest: ms(delays.max), p99: ms(delays.percentile(99)), longestCpu }));
  delays.reset();
  longestCpu = 0;
});
watch.listen(0, '127.0.0.1', () => {
  const { port } = watch.address() as AddressInfo;
  const watchUrl = `http://127.0.0.1:${port}`;
  process.stdout.write(`${JSON.stringify({ url: app.url, clientId: id, token, watchUrl })}\n`);
});
