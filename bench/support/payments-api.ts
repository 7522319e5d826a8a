/** Runs only the API as in production, and reports its address and a bearer that it accepts. */

import { startService } from '../../src/app/container.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import { configureCompilers } from '../../src/platform/runtime/compilers.ts';
import { createLogger } from '../../src/platform/runtime/logger.ts';
import { BENCH_SECRETS } from './secrets.ts';

configureCompilers();
const databaseUrl = process.env['BENCH_DATABASE_URL'] ?? '';
const rates = { PUBLIC_RATE_PER_MINUTE: '1000000', CLIENT_RATE_PER_MINUTE: '1000000' };
const env = { NODE_ENV: 'production', PORT: '0', ...rates, ...BENCH_SECRETS };
const config = loadConfig(env, { roles: ['api'] });
const address = process.env['BENCH_TEMPORAL_ADDRESS'] ?? '127.0.0.1:1';
const harness = await startService(
  { ...config, databaseUrl, temporal: { ...config.temporal, address } },
  createLogger({ level: 'warn', destination: process.stderr }),
  ['api'],
  { onWorkerDeath: () => undefined },
);
const account = { name: 'Escola Aurora', email: 'financeiro@escola-aurora.com.br', password: 'Segredo123' };
const response = await fetch(`${harness.url}/api/onboarding/signup`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(account),
});
const { id, token } = (await response.json()) as { id: string; token: string };
process.stdout.write(`${JSON.stringify({ url: harness.url, clientId: id, token, pid: process.pid })}\n`);
process.on('SIGTERM', () => process.exit(0));
process.stdin.resume().once('end', () => process.exit(0));
