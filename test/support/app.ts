import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { Client, type QueryResult } from 'pg';
import { loadConfig, type Role, SECRET_NAMES } from '../../src/config/index.ts';
import { startService } from '../../src/container.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface AppOptions {
  /** As environment variables. Rates are so high by default that no test meets them unasked. */
  readonly env?: Readonly<Record<string, string>>;
  /** With worker and relay the app works on the shared Temporal server, on a task queue of its own. */
  readonly roles?: readonly Role[];
  /** Of another app: two instances of one deployment. */
  readonly database?: TestDatabase;
  /** Instead of the shared Temporal server: schedules are known by one name to all apps of a server. */
  readonly temporalAddress?: string;
}

const SECRETS = Object.fromEntries(SECRET_NAMES.map((name) => [name, `${name.toLowerCase()}-of-the-tests`]));
const HIGH_RATES = {
  LOGIN_RATE_PER_MINUTE: '100000',
  SIGNUP_RATE_PER_MINUTE: '100000',
  PUBLIC_RATE_PER_MINUTE: '100000',
  CLIENT_RATE_PER_MINUTE: '1000000',
};

// Row security is forced on the owner too; in a test's own database it may look behind it.
const LET_OWNER_SEE = `do $$ declare name text; begin
  for name in select relname from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace loop
    execute format('create policy test_owner on %I to current_user using (true) with check (true)', name);
  end loop;
end $$`;

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

/** The whole product on a free port and a database of its own. */
export async function startApp(options: AppOptions = {}) {
  const { roles = ['api'] } = options;
  const database = options.database ?? (await createTestDatabase());
  const env = { NODE_ENV: 'test', PORT: '0', ...SECRETS, ...HIGH_RATES, ...options.env };
  const config = loadConfig(env, { roles });
  const address = options.temporalAddress ?? process.env['TEST_TEMPORAL_ADDRESS'];
  if (address === undefined) throw new Error('TEST_TEMPORAL_ADDRESS is set by test/support/global-setup.ts');

  const lines: string[] = [];
  const destination = new PassThrough();
  destination.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  const harness = await startService(
    {
      ...config,
      databaseUrl: database.url,
      temporal: { ...config.temporal, address, taskQueue: `test-${randomUUID()}` },
    },
    createLogger({ destination, level: 'debug' }),
    roles,
    { onDeath: (part) => void lines.push(`${part} died`) },
  );
  const owner = new Client({ connectionString: database.url });
  await owner.connect();
  if (options.database === undefined) await owner.query(LET_OWNER_SEE);
  const url = harness.url ?? '';
  // One after the other, as the connection answers them: pg does not want to be asked meanwhile.
  let asked: Promise<unknown> = Promise.resolve();

  /** A JSON body unless it is text or bytes already; the answer's body is parsed when it is JSON. */
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
    call,
    get: <Body>(path: string, bearer?: string) => call<Body>('GET', path, { bearer }),
    post: <Body>(path: string, body?: unknown, bearer?: string) => call<Body>('POST', path, { body, bearer }),
    /** As the owner of the database, past row security: to look, and to make time pass. */
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
