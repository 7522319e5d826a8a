import { startBenchApp } from './bench-app.ts';

/** The API alone; says where it is and whose bearer it takes. */
const app = await startBenchApp(process.env['BENCH_DATABASE_URL'] ?? '');
const { id, token } = await app.newClient();
process.stdout.write(`${JSON.stringify({ url: app.url, clientId: id, token })}\n`);
