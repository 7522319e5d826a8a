import { PassThrough } from 'node:stream';
import { z } from 'zod';
import { createApp } from '../src/app/http/app.ts';
import { allRoutes } from '../src/app/routes/index.ts';
import type { ApiServices } from '../src/app/services/api.ts';
import { AppError } from '../src/kernel/errors.ts';
import { uploadedFile } from '../src/platform/http/body.ts';
import type { Console } from '../src/platform/http/console.ts';
import { defineRoute, type Route } from '../src/platform/http/define-route.ts';
import type { Authenticate, HttpConfig, HttpDeps, Readiness } from '../src/platform/http/deps.ts';
import { booleanQuery, integerQuery } from '../src/platform/http/fields.ts';
import type { RequestLimits } from '../src/platform/http/request-limits.ts';
import { type RunningServer, startServer } from '../src/platform/http/server.ts';
import { createLogger, withLogContext } from '../src/platform/runtime/logger.ts';
import { createMetrics } from '../src/platform/runtime/metrics.ts';

export const CLIENT = '11111111-1111-4111-8111-111111111111';
const OTHER_CLIENT = '22222222-2222-4222-8222-222222222222';

const MEMBER = { id: '33333333-3333-4333-8333-333333333333', name: 'Ana' };

/** A few tokens and one key are enough to distinguish every refusal. */
const authenticate: Authenticate = async ({ authorization }, kind) => {
  if (authorization === undefined) throw new AppError('unauthenticated');
  const token = authorization.replace(/^Bearer /, '');
  if (token === 'old') throw new AppError('token_expired');
  if (token === 'paused') throw new AppError('account_inactive');
  if (token === 'service_key_1') {
    if (kind === 'jwt') throw new AppError('access_token_required');
    return { clientId: CLIENT, kind: 'api_key', role: 'manager', member: null };
  }
  if (token === 'other')
    return { clientId: OTHER_CLIENT, kind: 'session', role: 'owner', member: MEMBER, sessionId: 's2' };
  if (token !== 'good') throw new AppError('token_invalid');
  return { clientId: CLIENT, kind: 'session', role: 'owner', member: MEMBER, sessionId: 's1' };
};

const company = z.object({
  name: z.string().trim().min(1).max(200),
  email: z.email(),
  password: z.string().superRefine((text, issues) => {
    if (!/[A-Z]/.test(text)) issues.addIssue({ code: 'custom', params: { code: 'password_weak' }, message: 'Weak' });
  }),
  'odd/na~me': z.array(z.object({ n: z.int() })).optional(),
});
const echo = z.object({ seen: z.unknown() });
const ok = { 200: { description: 'What was understood', schema: echo } } as const;
const common = { tags: ['Samples'], summary: 'A sample', errors: [] } as const;

export function sampleRoutes(hold: () => Promise<void> = async () => undefined): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path: '/api/companies/:id',
      operationId: 'sampleCreate',
      auth: 'bearer',
      right: 'read',
      params: z.object({ id: z.uuid() }),
      query: z.object({ force: booleanQuery.default(false), take: integerQuery(1, 100).default(100) }),
      body: company,
      responses: { 201: { description: 'Made', schema: z.object({ id: z.uuid(), seen: z.unknown() }) } },
      handler: async ({ params, query, body, caller }) => ({
        status: 201,
        body: { id: params.id, seen: { query, body, client: caller.clientId }, secret: 'not declared' },
      }),
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/api/companies/:id',
      operationId: 'sampleRead',
      auth: 'jwt',
      right: 'read',
      params: z.object({ id: z.uuid() }),
      responses: ok,
      handler: async ({ params }) => ({ status: 200, body: { seen: params } }),
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/api/companies/latest',
      operationId: 'sampleLatest',
      auth: 'none',
      responses: ok,
      handler: async () => ({ status: 200, body: { seen: 'latest' } }),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/api/signup',
      operationId: 'sampleSignup',
      auth: 'none',
      rate: 'signup',
      body: company,
      responses: ok,
      handler: async ({ body }) => ({ status: 200, body: { seen: body } }),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/api/login',
      operationId: 'sampleLogin',
      auth: 'none',
      rate: 'login',
      bodyBefore: true,
      body: z.object({ email: z.string() }),
      responses: ok,
      handler: async () => {
        throw new AppError('account_locked', { retryAfterSeconds: 899.2 });
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/api/any',
      operationId: 'sampleAny',
      auth: 'none',
      body: z.unknown(),
      responses: ok,
      handler: async ({ body }) => ({ status: 200, body: { seen: typeof body } }),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/api/strings',
      operationId: 'sampleStrings',
      auth: 'none',
      body: z.looseObject({}),
      query: z.object({ word: z.string().optional() }),
      responses: ok,
      handler: async ({ body }) => ({ status: 200, body: { seen: body } }),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/api/upload',
      operationId: 'sampleUpload',
      auth: 'bearer',
      right: 'read',
      bodyType: 'multipart',
      bodyLimit: 1_000_000,
      body: z.object({ file: uploadedFile(), note: z.string().optional() }),
      responses: ok,
      handler: async ({ body: { file, note } }) => ({
        status: 200,
        body: {
          seen: { size: file.bytes.length, first: file.bytes[0] ?? null, note: note ?? null },
        },
      }),
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/api/hook',
      operationId: 'sampleHook',
      auth: 'none',
      bodyType: 'raw',
      body: z.instanceof(Buffer),
      responses: ok,
      handler: async ({ body, request }) => ({
        status: 200,
        body: {
          seen: { hex: body.toString('hex'), id: request.query['data.id'], signature: request.headers['x-signature'] },
        },
      }),
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: '/api/nothing',
      operationId: 'sampleNothing',
      auth: 'none',
      responses: { 204: { description: 'Gone' } },
      handler: async () => ({ status: 204 }),
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/api/file',
      operationId: 'sampleFile',
      auth: 'none',
      responses: { 200: { description: 'A file', contentType: 'application/pdf' } },
      handler: async () => ({
        status: 200,
        body: Buffer.from('%PDF'),
        headers: { 'Content-Disposition': 'attachment; filename="a.pdf"', 'Cache-Control': 'private' },
      }),
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/api/held',
      operationId: 'sampleHeld',
      auth: 'none',
      responses: ok,
      handler: async () => {
        await hold();
        return { status: 200, body: { seen: 'held' } };
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/api/broken/:how',
      operationId: 'sampleBroken',
      auth: 'none',
      params: z.object({ how: z.string() }),
      responses: { 200: { description: 'Never', schema: z.object({ n: z.int() }) } },
      handler: async ({ params: { how } }) => {
        if (how === 'throws')
          throw new Error("insert into debts values ('529.982.247-25') failed for maria@empresa.com.br");
        if (how === 'database') throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
        if (how === 'signature') throw new AppError('signature_invalid');
        if (how === 'status') return { status: 418, body: {} } as never;
        return { status: 200, body: { n: 'no number' } } as never;
      },
    }),
  ];
}

export interface HarnessOptions {
  readonly config?: Partial<HttpConfig>;
  readonly readiness?: () => Promise<Readiness>;
  readonly hold?: () => Promise<void>;
  readonly drainMs?: number;
  readonly routes?: readonly Route[];
  /** The use cases that the test calls through the product's own routes. */
  readonly services?: Partial<ApiServices>;
  readonly limits?: Partial<RequestLimits>;
  readonly maxConnections?: number;
  readonly mapError?: HttpDeps['mapError'];
  readonly console?: Console | undefined;
}

export const UP: Readiness = { database: { status: 'up' }, temporal: { status: 'up' }, worker: { status: 'up' } };

const running = new Set<RunningServer>();

/** Also closes what a failed test left open, because jest would otherwise not end. */
export async function stopHttpHarnesses(): Promise<void> {
  await Promise.all([...running].map((server) => server.close()));
  running.clear();
}

/**
 * Starts the real app on a free port, with the real logger and metrics, and with a route for each part of the guard.
 */
export async function startHttpHarness(options: HarnessOptions = {}) {
  const log: string[] = [];
  const destination = new PassThrough();
  destination.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  const deps: HttpDeps = {
    config: {
      publicUrl: 'https://quita.example',
      production: false,
      version: '1.2.3',
      trustProxy: 0,
      corsOrigins: ['https://front.example'],
      metricsToken: undefined,
      loginRatePerMinute: 1000,
      signupRatePerMinute: 1000,
      publicRatePerMinute: 1000,
      clientRatePerMinute: 100_000,
      sandboxOnly: true,
      paymentProviders: [],
      pixMtlsProxies: undefined,
      identity: null,
      ...options.config,
    },
    logger: createLogger({ destination, level: 'debug' }),
    withLogContext,
    metrics: createMetrics({ process: false }),
    authenticate,
    services: { ...options.services } as ApiServices,
    now: () => new Date(),
    readiness: options.readiness ?? (async () => UP),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    console: options.console,
    mapError:
      options.mapError ??
      ((error) =>
        (error as { code?: string }).code === 'ECONNREFUSED'
          ? new AppError('unavailable', { cause: error })
          : undefined),
  };
  const app = createApp(deps, [...allRoutes(deps), ...sampleRoutes(options.hold), ...(options.routes ?? [])]);
  const server = await startServer(app, {
    host: '127.0.0.1',
    port: 0,
    publicUrl: deps.config.publicUrl,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.maxConnections === undefined ? {} : { maxConnections: options.maxConnections }),
    ...(options.drainMs === undefined ? {} : { drainMs: options.drainMs }),
  });
  running.add(server);
  const call = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, init);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return {
    server,
    call,
    post,
    close: stopHttpHarnesses,
    logText: () => log.join(''),
    logLines: () =>
      log
        .join('')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

export type HttpHarness = Awaited<ReturnType<typeof startHttpHarness>>;

export async function until(what: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!what()) {
    if (Date.now() > deadline) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
