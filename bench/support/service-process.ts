/** Runs the roles of `BENCH_ROLES` as in production, and reports where the API listens. It ends with its input. */

import { startService } from '../../src/app/container.ts';
import { loadConfig, type Role } from '../../src/platform/config/index.ts';
import { configureCompilers } from '../../src/platform/runtime/compilers.ts';
import { createLogger } from '../../src/platform/runtime/logger.ts';
import { BENCH_SECRETS } from './secrets.ts';

configureCompilers();
const databaseUrl = process.env['BENCH_DATABASE_URL'] ?? '';
const address = process.env['BENCH_TEMPORAL_ADDRESS'] ?? '';
const roles = (process.env['BENCH_ROLES'] ?? '').split(',') as Role[];
const rates = { PUBLIC_RATE_PER_MINUTE: '1000000', CLIENT_RATE_PER_MINUTE: '1000000' };
const more = JSON.parse(process.env['BENCH_ENV'] ?? '{}') as Record<string, string>;
const config = loadConfig({ NODE_ENV: 'test', PORT: '0', ...rates, ...BENCH_SECRETS, ...more }, { roles });
const service = await startService(
  { ...config, databaseUrl, temporal: { ...config.temporal, address } },
  createLogger({ level: 'error', destination: process.stderr }),
  roles,
  { onWorkerDeath: () => process.exit(1) },
);
process.stdout.write(`${JSON.stringify({ url: service.url ?? null })}\n`);
process.stdin.resume().once('end', () => void service.close().finally(() => process.exit(0)));
