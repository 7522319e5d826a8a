import { afterAll, describe, expect, it } from '@jest/globals';
import { createMetricsApp } from '../../../src/app/http/metrics-app.ts';
import { type RunningServer, startServer } from '../../../src/platform/http/server.ts';
import { createLogger, withLogContext } from '../../../src/platform/runtime/logger.ts';
import { createMetrics } from '../../../src/platform/runtime/metrics.ts';

const servers: RunningServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function start(config: { readonly production: boolean; readonly metricsToken: string | undefined }) {
  const app = createMetricsApp({
    config: { publicUrl: 'https://quita.example', publicRatePerMinute: 600, ...config },
    logger: createLogger({ level: 'silent' }),
    withLogContext,
    metrics: createMetrics({ process: false }),
  });
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  servers.push(server);
  return async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`${server.url}${path}`, { headers })).status;
}

describe('the metrics of a process without an API', () => {
  it('are open in development', async () => {
    const statusOf = await start({ production: false, metricsToken: undefined });
    expect(await statusOf('/metrics')).toBe(200);
  });

  it('do not exist in production without a token, and the process is alive all the same', async () => {
    const statusOf = await start({ production: true, metricsToken: undefined });
    expect([await statusOf('/metrics'), await statusOf('/health/live')]).toEqual([404, 200]);
  });

  it('require the token where there is one', async () => {
    const statusOf = await start({ production: true, metricsToken: 'm3trics' });
    expect(await statusOf('/metrics')).toBe(401);
    expect(await statusOf('/metrics', { authorization: 'Bearer wrong' })).toBe(401);
    expect(await statusOf('/metrics', { authorization: 'Bearer m3trics' })).toBe(200);
  });
});
