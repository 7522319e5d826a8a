/**
 * `node bench/accounts.ts` measures the cost of authentication: a login against a bare argon2 verification with the
 * same parameters, and an authenticated request against the same route without authentication. The two of each pair
 * alternate in one run, on a separate database.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import argon2 from 'argon2';
import { z } from 'zod';
import { openUnderstanding } from '../src/app/compose/agent.ts';
import { composeChannelEvents } from '../src/app/compose/channel-events.ts';
import { composeCollection } from '../src/app/compose/collection.ts';
import { composeServices } from '../src/app/compose/services.ts';
import { createApp } from '../src/app/http/app.ts';
import { ARGON2_COST } from '../src/modules/accounts/adapters/passwords/argon2/argon2-hasher.ts';
import { createRehearsalThreads } from '../src/modules/campaigns/adapters/rehearsal/threads/rehearsal-threads.ts';
import { createReplayThreads } from '../src/modules/campaigns/adapters/replay/threads/replay-threads.ts';
import { createSpreadsheetReader } from '../src/modules/campaigns/adapters/spreadsheet-reader/process/reader.ts';
import { createMailReader } from '../src/modules/messaging/adapters/email/threads/mail-reader.ts';
import { createThreadRenderer } from '../src/modules/receipts/adapters/receipt-renderer/threads/renderer.ts';
import { loadConfig } from '../src/platform/config/index.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { mapDbError } from '../src/platform/database/map-db-error.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { defineRoute } from '../src/platform/http/define-route.ts';
import type { HttpDeps } from '../src/platform/http/deps.ts';
import { memberOf } from '../src/platform/http/origin.ts';
import { startServer } from '../src/platform/http/server.ts';
import { startEmbeddedPostgres } from '../src/platform/runtime/embedded-postgres.ts';
import { createLogger, currentClient, currentRole, withLogContext } from '../src/platform/runtime/logger.ts';
import { createMetrics } from '../src/platform/runtime/metrics.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';
import { BENCH_SECRETS } from './support/secrets.ts';

const LOGINS = sized(60, 20);
const ROUNDS = sized(6, 3);
const REQUESTS = sized(3_000, 1_500);
const AT_ONCE = 16;
const EMAIL = 'financeiro@empresa-da-medida.com.br';
const PASSWORD = 'Cobranca2026';

const folder = mkdtempSync(join(tmpdir(), 'quita-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined });
await migrate(postgres.url);
const config = loadConfig({
  ...BENCH_SECRETS,
  LOGIN_RATE_PER_MINUTE: '1000000',
  CLIENT_RATE_PER_MINUTE: '1000000',
});
const db = await openDatabase({
  url: postgres.url,
  role: 'quita_app',
  poolSize: 20,
  ownerOf: currentClient,
  roleOf: currentRole,
});
const logger = createLogger({ level: 'silent' });
const renderer = createThreadRenderer();
const collection = composeCollection(config, db, logger, () => config.publicUrl, openUnderstanding(logger));
const channelEvents = composeChannelEvents(config, collection, createMailReader());
const services = composeServices(
  config,
  collection,
  renderer,
  channelEvents,
  { waitingForOperator: async () => ({ count: 0, some: [] }) },
  {
    spreadsheets: createSpreadsheetReader(),
    rehearsals: createRehearsalThreads(),
    replays: createReplayThreads(),
  },
);

const pong = (path: string, auth: 'none' | 'bearer') =>
  defineRoute({
    method: 'GET',
    path,
    operationId: `pong_${auth}`,
    summary: 'Nothing',
    tags: [],
    auth,
    right: 'read',
    responses: { 200: { description: 'Nothing', schema: z.object({ ok: z.literal(true) }) } },
    errors: [],
    handler: async () => ({ status: 200, body: { ok: true as const } }),
  });
const deps: HttpDeps = {
  config: { ...config, production: true, version: 'bench', sandboxOnly: true, identity: null },
  logger,
  withLogContext,
  metrics: createMetrics({ process: false }),
  authenticate: services.authenticate,
  services,
  now: () => new Date(),
  readiness: () => Promise.reject(new Error('nobody asks')),
  mapError: mapDbError,
};
const server = await startServer(createApp(deps, [pong('/open', 'none'), pong('/closed', 'bearer')]), {
  host: '127.0.0.1',
  port: 0,
});

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
const get = (path: string, headers: Record<string, string>): Promise<void> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: server.port, path, agent, headers }, (response) => {
      response.resume();
      response.once('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`)),
      );
    })
      .once('error', reject)
      .end();
  });

async function perSecond(path: string, headers: Record<string, string>): Promise<number> {
  let left = REQUESTS;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await get(path, headers);
    }),
  );
  return REQUESTS / ((performance.now() - began) / 1_000);
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

try {
  const origin = { ip: '127.0.0.1', rateKey: '127.0.0.1', userAgent: null };
  await services.signUp({ name: 'Bench', email: EMAIL, password: PASSWORD, cnpj: null, segment: null, origin });
  const hash = await argon2.hash(PASSWORD, ARGON2_COST);
  const bare: number[] = [];
  const whole: number[] = [];
  for (let i = 0; i < LOGINS; i += 1) {
    bare.push(await timed(() => argon2.verify(hash, PASSWORD)));
    whole.push(await timed(() => services.logIn({ email: EMAIL, password: PASSWORD, origin })));
  }
  const [verify, login] = [median(bare), median(whole)];
  report(`argon2 verify ${verify.toFixed(1)} ms, login ${login.toFixed(1)} ms: ${(login / verify).toFixed(2)} times`, {
    name: 'login',
    value: login,
    unit: 'ms',
    better: 'less',
    baseline: { name: 'argon2 verify', value: verify },
  });

  const { token } = await services.logIn({ email: EMAIL, password: PASSWORD, origin });
  const caller = await services.authenticate({ authorization: `Bearer ${token}`, ip: origin.ip }, 'jwt');
  // The database lets an owner's request alone write a key.
  const { apiKey } = await withLogContext({ clientId: caller.clientId, role: caller.role }, () =>
    services.createApiKey({ ...memberOf(caller), source: { ip: origin.ip, by: 'session' } }),
  );
  const rates: Record<'open' | 'session' | 'apiKey', number[]> = { open: [], session: [], apiKey: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const open = await perSecond('/open', {});
    const session = await perSecond('/closed', { authorization: `Bearer ${token}` });
    const key = await perSecond('/closed', { authorization: `Bearer ${apiKey}` });
    // The first round only warms up and is not counted.
    if (round === 0) continue;
    rates.open.push(open);
    rates.session.push(session);
    rates.apiKey.push(key);
  }
  const open = median(rates.open);
  for (const name of ['open', 'session', 'apiKey'] as const) {
    const rate = median(rates[name]);
    report(`${name}: ${Math.round(rate)} requests a second, ${(rate / open).toFixed(2)} of the open route`, {
      name: `route, ${name}`,
      value: rate,
      unit: '/s',
      better: 'more',
      ...(name === 'open' ? {} : { baseline: { name: 'open route', value: open } }),
    });
  }
} finally {
  agent.destroy();
  await server.close();
  await renderer.close();
  await db.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
