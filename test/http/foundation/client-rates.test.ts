import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { AppError } from '../../../src/kernel/errors.ts';
import { defineRoute } from '../../../src/platform/http/define-route.ts';
import { type HttpHarness, startHttpHarness, stopHttpHarnesses } from '../../../testing/http-harness.ts';

afterAll(stopHttpHarnesses);

const seen: string[] = [];
afterEach(() => void seen.splice(0));

const sample = (path: string, clientRate?: 'imports' | 'regenerations') =>
  defineRoute({
    method: 'POST',
    path,
    operationId: `sample${path.slice(-3)}`,
    summary: 'A sample',
    tags: ['Samples'],
    auth: 'bearer',
    right: 'read',
    ...(clientRate === undefined ? {} : { clientRate }),
    body: z.object({ n: z.int() }),
    responses: { 204: { description: 'Done' } },
    errors: [],
    handler: async () => {
      seen.push(path);
      return { status: 204 };
    },
  });
const jsonImport = defineRoute({
  method: 'POST',
  path: '/api/sample/json',
  operationId: 'sampleImport',
  summary: 'A sample of an import',
  tags: ['Samples'],
  auth: 'bearer',
  right: 'read',
  clientRate: 'imports',
  isImport: true,
  bodyType: 'json-bytes',
  bodyLimit: 1024 * 1024,
  body: z.instanceof(Uint8Array).meta({ type: 'object' }),
  responses: { 204: { description: 'Done' } },
  errors: [],
  handler: async () => ({ status: 204 }),
});
const routes = [
  sample('/api/sample/one'),
  sample('/api/sample/imp', 'imports'),
  sample('/api/sample/reg', 'regenerations'),
  jsonImport,
];

const send = (
  harness: HttpHarness,
  path: string,
  bearer: string | undefined,
  body: unknown = { n: 1 },
  from?: string,
) =>
  harness.post(path, body, {
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    ...(from === undefined ? {} : { 'x-forwarded-for': from }),
  });

async function statuses(times: number, call: () => Promise<Response>): Promise<number[]> {
  const got = [];
  for (let time = 0; time < times; time++) got.push((await call()).status);
  return got;
}

describe('the rate of a client', () => {
  it('is in the headers of each answer, refuses further calls, and states when to try again', async () => {
    const harness = await startHttpHarness({ routes, config: { clientRatePerMinute: 3 } });
    const first = await send(harness, '/api/sample/one', 'good');
    expect([first.headers.get('ratelimit-policy'), first.headers.get('ratelimit')]).toEqual([
      '"calls";q=3;w=60',
      '"calls";r=2;t=20',
    ]);
    // An invalid call counts too, and its answer has the headers.
    const invalid = await send(harness, '/api/sample/one', 'good', { n: 'x' });
    expect([invalid.status, invalid.headers.get('ratelimit')]).toEqual([400, '"calls";r=1;t=40']);
    expect((await send(harness, '/api/sample/one', 'service_key_1')).status).toBe(204);
    const refused = await send(harness, '/api/sample/one', 'good');
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(20);
    expect(refused.headers.get('ratelimit')).toMatch(/^"calls";r=0;t=\d+$/);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', status: 429, retryAfterSeconds: seconds });
    expect(seen).toHaveLength(2);
  });

  it('is checked before the body, and after the route and the bearer', async () => {
    const harness = await startHttpHarness({ routes, config: { clientRatePerMinute: 1 } });
    expect(await statuses(2, () => send(harness, '/api/sample/one', 'good', '{"broken'))).toEqual([400, 429]);
    const wrongType = { authorization: 'Bearer good', 'content-type': 'text/plain' };
    expect((await harness.call('/api/sample/one', { method: 'POST', body: 'x', headers: wrongType })).status).toBe(429);
    expect((await send(harness, '/api/sample/none', 'good')).status).toBe(404);
    expect((await harness.call('/api/sample/one')).status).toBe(405);
    expect((await send(harness, '/api/sample/one', 'wrong')).status).toBe(401);
    expect((await send(harness, '/api/sample/one', undefined)).status).toBe(401);
    expect((await send(harness, '/api/sample/one', 'paused')).status).toBe(403);
  });

  it('counts imports and regenerations separately, with a twentieth of it each', async () => {
    const harness = await startHttpHarness({ routes, config: { clientRatePerMinute: 40 } });
    const policy = async (path: string) => (await send(harness, path, 'good')).headers.get('ratelimit-policy');
    expect(await policy('/api/sample/imp')).toBe('"imports";q=2;w=60');
    expect(await policy('/api/sample/reg')).toBe('"regenerations";q=2;w=60');
    expect(await statuses(2, () => send(harness, '/api/sample/imp', 'good'))).toEqual([204, 429]);
    expect(await statuses(2, () => send(harness, '/api/sample/reg', 'good'))).toEqual([204, 429]);
    const call = await send(harness, '/api/sample/one', 'good');
    expect([call.status, call.headers.get('ratelimit')]).toEqual([204, '"calls";r=39;t=2']);
  });

  it('counts an import of JSON up to 256 KiB as any other call', async () => {
    const harness = await startHttpHarness({ routes, config: { clientRatePerMinute: 40 } });
    const send256 = (more: number) =>
      harness.call('/api/sample/json', {
        method: 'POST',
        headers: { authorization: 'Bearer good', 'content-type': 'application/json' },
        body: JSON.stringify('x'.repeat(256 * 1024 - 2 + more)),
      });
    const answers = [await send256(0), await send256(0), await send256(0), await send256(1)];
    expect(answers.map(({ status, headers }) => [status, headers.get('ratelimit-policy')])).toEqual([
      ...Array(3).fill([204, '"calls";q=40;w=60']),
      [204, '"imports";q=2;w=60'],
    ]);
  });

  it('holds for concurrent calls, and browsers may read its headers', async () => {
    const harness = await startHttpHarness({ routes, config: { clientRatePerMinute: 5 } });
    const answers = await Promise.all(Array.from({ length: 30 }, () => send(harness, '/api/sample/one', 'good')));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(5);
    const browser = await harness.call('/health/live', { headers: { origin: 'https://front.example' } });
    expect(browser.headers.get('access-control-expose-headers')).toContain('RateLimit,RateLimit-Policy');
  });

  it('is documented with each authenticated operation', async () => {
    const harness = await startHttpHarness({ routes });
    const { paths, components } = (await (await harness.call('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { security: unknown[]; responses: Record<string, { headers?: object }> }>>;
      components: { headers: object };
    };
    expect(Object.keys(components.headers)).toEqual(['RateLimit', 'RateLimit-Policy', 'Retry-After']);
    for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
      if (operation.security.length === 0) continue;
      expect(Object.keys(operation.responses['429']?.headers ?? {})).toEqual([
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
      ]);
      const [good] = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
      expect(Object.keys(good?.[1].headers ?? {})).toEqual(['RateLimit', 'RateLimit-Policy']);
    }
  });
});

describe('failed bearers', () => {
  const config = { publicRatePerMinute: 3, trustProxy: 1 };

  it('count against their address: 429 comes before 401, and nothing is looked up any more', async () => {
    const harness = await startHttpHarness({ routes, config });
    const wrong = (from: string) => send(harness, '/api/sample/one', `wrong${Math.random()}`, { n: 1 }, from);
    expect(await statuses(5, () => wrong('1.1.1.1'))).toEqual([401, 401, 401, 429, 429]);
    const refused = await wrong('1.1.1.1');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toBeNull();
    // A valid bearer that was never used before cannot be distinguished from a guess.
    expect((await send(harness, '/api/sample/one', 'good', { n: 1 }, '1.1.1.1')).status).toBe(429);
    expect((await wrong('1.1.1.2')).status).toBe(401);
    expect((await send(harness, '/api/sample/none', 'x', { n: 1 }, '1.1.1.1')).status).toBe(404);
    expect(await statuses(4, () => wrong('2001:db8:1:1::1'))).toEqual([401, 401, 401, 429]);
    expect((await wrong('2001:db8:1:1:ffff::2')).status).toBe(429);
  });

  it('do not refuse a bearer that was valid recently, until it is invalid', async () => {
    const harness = await startHttpHarness({ routes, config });
    const from = (bearer: string | undefined) => send(harness, '/api/sample/one', bearer, { n: 1 }, '2.2.2.2');
    expect((await from('good')).status).toBe(204);
    expect(await statuses(4, () => from('wrong'))).toEqual([401, 401, 401, 429]);
    expect((await from('good')).status).toBe(204);
    expect((await from('service_key_1')).status).toBe(429);
  });

  it('do not include missing, expired or paused ones, and are counted when they are concurrent', async () => {
    const harness = await startHttpHarness({ routes, config });
    const from = (bearer: string | undefined) => send(harness, '/api/sample/one', bearer, { n: 1 }, '3.3.3.3');
    for (const bearer of [undefined, 'old', 'paused']) {
      const status = bearer === 'paused' ? 403 : 401;
      expect(await statuses(5, () => from(bearer))).toEqual(Array(5).fill(status));
    }
    await Promise.all(Array.from({ length: 20 }, (_, n) => from(`wrong${n}`)));
    const refused = await from('wrong');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(80);
  });

  it('also count where a route checks its own bearer', async () => {
    const harness = await startHttpHarness({ config: { ...config, metricsToken: 'right-token-of-the-operator' } });
    const read = (bearer: string) => harness.call('/metrics', { headers: { authorization: `Bearer ${bearer}` } });
    expect(await statuses(4, () => read('wrong'))).toEqual([401, 401, 401, 429]);
    expect((await read('right-token-of-the-operator')).status).toBe(429);
  });

  it('do not include failures of the service itself', async () => {
    const broken = defineRoute({
      method: 'GET',
      path: '/api/sample/fails',
      operationId: 'sampleFails',
      summary: 'A sample',
      tags: ['Samples'],
      auth: 'none',
      ownBearer: true,
      responses: { 204: { description: 'Never' } },
      errors: ['unavailable'],
      handler: async () => {
        throw new AppError('unavailable');
      },
    });
    const harness = await startHttpHarness({ config, routes: [broken] });
    const call = () => harness.call('/api/sample/fails', { headers: { authorization: 'Bearer any' } });
    expect(await statuses(6, call)).toEqual(Array(6).fill(503));
  });
});
