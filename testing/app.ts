import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { Client, type QueryResult } from 'pg';
import { startService } from '../src/app/container.ts';
import { loadConfig, type Role, SECRET_NAMES } from '../src/platform/config/index.ts';
import { createLogger } from '../src/platform/runtime/logger.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { LET_OWNER_SEE } from './owner-sees.ts';

export interface AppOptions {
  /** Environment variables. The default rates are so high that no test reaches them by accident. */
  readonly env?: Readonly<Record<string, string>>;
  /** With worker and relay the app uses the shared Temporal server, on a separate task queue. */
  readonly roles?: readonly Role[];
  /** The database of another app, for two instances of one deployment. */
  readonly database?: TestDatabase;
  /** Replaces the shared Temporal server, on which all apps share the schedules by name. */
  readonly temporalAddress?: string;
  /** Hashes passwords as a deployment does. Only suites about passwords themselves need that. */
  readonly productionPasswords?: boolean;
  /** The task queue of another app, whose workflows this one takes over. */
  readonly taskQueue?: string;
}

export const SECRETS: Readonly<Record<string, string>> = Object.fromEntries(
  SECRET_NAMES.map((name) => [name, `${name.toLowerCase()}-of-the-tests`]),
);
/** A key that signs since the beginning, and one that came later. */
export const EVIDENCE_KEYS = 'first-key-of-evidence-of-the-tests, 2026-01-01:second-key-of-evidence-of-the-tests';
/** A hash of production takes 70 ms of processor, and each test that signs up or in needs one. */
const PASSWORD_COST = { memoryCost: 64, timeCost: 1, parallelism: 1 };
const HIGH_RATES = {
  LOGIN_RATE_PER_MINUTE: '100000',
  SIGNUP_RATE_PER_MINUTE: '100000',
  PUBLIC_RATE_PER_MINUTE: '100000',
  CLIENT_RATE_PER_MINUTE: '1000000',
};

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

interface Sent {
  readonly body?: unknown;
  readonly bearer?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts the whole product on a free port and a separate database. */
export async function startApp(options: AppOptions = {}) {
  const { roles = ['api'] } = options;
  const database = options.database ?? (await createTestDatabase());
  const env = { NODE_ENV: 'test', PORT: '0', ...SECRETS, EVIDENCE_KEYS, ...HIGH_RATES, ...options.env };
  const config = loadConfig(env, { roles });
  const address = options.temporalAddress ?? process.env['TEST_TEMPORAL_ADDRESS'];
  if (address === undefined) throw new Error('TEST_TEMPORAL_ADDRESS is set by testing/global-setup.ts');

  const taskQueue = options.taskQueue ?? `test-${randomUUID()}`;
  const lines: string[] = [];
  const destination = new PassThrough();
  destination.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  const harness = await startService(
    {
      ...config,
      databaseUrl: database.url,
      passwordCost: options.productionPasswords ? undefined : PASSWORD_COST,
      temporal: { ...config.temporal, address, taskQueue },
    },
    createLogger({ destination, level: 'debug' }),
    roles,
    { onWorkerDeath: () => void lines.push('the worker died') },
  );
  const owner = new Client({ connectionString: database.url });
  await owner.connect();
  if (options.database === undefined) await owner.query(LET_OWNER_SEE);
  const url = harness.url ?? '';
  // The queries run one after the other, because pg warns about concurrent queries on one connection.
  let asked: Promise<unknown> = Promise.resolve();

  /** Sends a JSON body unless it is text or bytes already, and parses the body of an answer when it is JSON. */
  async function call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    sent: Sent = {},
  ): Promise<Answer<Body>> {
    const { body, bearer, headers = {} } = sent;
    const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = /json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: (json ? JSON.parse(text) : text) as Body };
  }

  return {
    url,
    database,
    taskQueue,
    call,
    get: <Body>(path: string, bearer?: string) => call<Body>('GET', path, { bearer }),
    post: <Body>(path: string, body?: unknown, bearer?: string) => call<Body>('POST', path, { body, bearer }),
    /** Runs a query as the owner of the database without row security, to read rows and to change moments. */
    async query<Row extends object>(text: string, params: unknown[] = []): Promise<Row[]> {
      const answer: Promise<QueryResult<Row>> = asked.then(() => owner.query<Row>(text, params));
      asked = answer.catch(() => undefined);
      return (await answer).rows;
    },
    logText: () => lines.join(''),
    async close() {
      await owner.end();
      await harness.close();
      if (options.database === undefined) await database.drop();
    },
  };
}

export type App = Awaited<ReturnType<typeof startApp>>;
