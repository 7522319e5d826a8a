import { startBenchApp } from './bench-app.ts';

/** Runs only the API, and reports its address and a bearer that it accepts. */
const app = await startBenchApp(process.env['BENCH_DATABASE_URL'] ?? '');
const { id, token } = await app.newClient();
process.stdout.write(`${JSON.stringify({ url: app.url, clientId: id, token })}\n`);
