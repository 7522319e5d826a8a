import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ERRORS } from '../../../src/kernel/errors.ts';
import { startHttpHarness, UP } from '../../../testing/http-harness.ts';
import { opened } from '../../../testing/opened.ts';

const harness = await opened(startHttpHarness());

interface Operation {
  operationId: string;
  summary: string;
  security: unknown[];
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content?: Record<string, { schema?: object }> }>;
}

describe('GET /openapi.json', () => {
  const read = async () =>
    (await (await harness.call('/openapi.json')).json()) as {
      openapi: string;
      servers: { url: string }[];
      paths: Record<string, Record<string, Operation>>;
    };

  it('describes every operation, including itself', async () => {
    const document = await read();
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: 'https://quita.example' }]);
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    for (const operation of operations) {
      expect(operation.summary).toBeTruthy();
      expect(Array.isArray(operation.security)).toBe(true);
      expect(operation.responses).toHaveProperty('500.content.application/problem+json.schema');
    }
    const names = operations.map((operation) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const name of ['getOpenApi', 'getDocs', 'getLiveness', 'getReadiness', 'getMetrics'])
      expect(names).toContain(name);
  });

  it('is generated from the schemas that validate', async () => {
    const { post } = (await read()).paths['/api/companies/{id}']!;
    expect(post).toMatchObject({
      security: [{ accessToken: [] }, { apiKey: [] }],
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
        { name: 'force', in: 'query', required: false, schema: { enum: ['true', 'false'] } },
        { name: 'take', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 100 } },
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { required: ['name', 'email', 'password'] } } },
      },
    });
    const refusals = ['400', '401', '403', '404', '408', '413', '415', '429', '500', '503'];
    expect(Object.keys(post!.responses)).toEqual(['201', ...refusals]);
    const { get } = (await read()).paths['/api/companies/latest']!;
    expect(get!.security).toEqual([]);
  });

  it('can be read by generators: amounts have a precision, answers a schema, variants a name', async () => {
    const parts: [string, Record<string, unknown>][] = [];
    const walk = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if (!Array.isArray(value)) parts.push([path, value as Record<string, unknown>]);
      for (const [key, member] of Object.entries(value)) walk(member, `${path}/${key}`);
    };
    const document = (await read()) as unknown as {
      components: { schemas: Record<string, { oneOf?: object[] }> };
    };
    walk(document, '');
    const isNumber = ({ type }: Record<string, unknown>) =>
      type === 'number' || (Array.isArray(type) && type.includes('number'));
    const numbers = parts.filter(([, part]) => isNumber(part));
    expect(numbers.length).toBeGreaterThan(20);
    expect(numbers.filter(([, { format }]) => format !== 'double').map(([path]) => path)).toEqual([]);
    const contents = parts
      .filter(([path]) => path.endsWith('/content') && !path.endsWith('/properties/content'))
      .flatMap(([path, part]) => {
        return Object.entries(part).map(([type, media]) => [`${path} ${type}`, 'schema' in (media as object)] as const);
      });
    expect(contents.filter(([, described]) => !described)).toEqual([]);
    expect(parts.filter(([, part]) => Array.isArray(part['allOf'])).map(([path]) => path)).toEqual([]);
    const { schemas } = document.components;
    expect(Object.keys(schemas)).not.toContain('Client');
    expect(schemas['Event']?.oneOf?.every((variant) => '$ref' in variant)).toBe(true);
  });

  it("has no error under Redocly's recommended rules", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quita-openapi-'));
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(await read()));
    const cli = 'node_modules/@redocly/cli/bin/cli.js';
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const lint = promisify(execFile)(process.execPath, [cli, 'lint', file, '--extends=recommended', '--format=json'], {
      env,
    });
    const { stdout } = await lint;
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0 } });
    await rm(folder, { recursive: true });
  });
});

describe('pages', () => {
  const isQuietPage = async (path: string) => {
    const answer = await harness.call(path);
    const text = await answer.text();
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
    // Nothing is inline or from another origin, because the policy would refuse both.
    expect(text).not.toMatch(/<script|style=|\son\w+="|(?:src|href)="(?!\/|#)/);
    return text;
  };

  it('does not send a document again to whoever has it', async () => {
    for (const path of ['/openapi.json', '/docs']) {
      const first = await harness.call(path);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]{20,}"$/);
      expect((await harness.call(path)).headers.get('etag')).toBe(etag);
      for (const known of [etag, `W/${etag}`, `"another", ${etag}`]) {
        const again = await harness.call(path, { headers: { 'if-none-match': known } });
        expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
      }
      expect((await harness.call(path, { headers: { 'if-none-match': '"another"' } })).status).toBe(200);
    }
  });

  it('GET /docs lists every operation', async () => {
    const text = await isQuietPage('/docs');
    for (const name of ['/api/companies/:id', '/health/ready', '/openapi.json']) expect(text).toContain(name);
  });

  it.each(Object.keys(ERRORS))('GET /problems/%s explains it', async (code) => {
    const text = await isQuietPage(`/problems/${code}`);
    expect(text).toContain(ERRORS[code as keyof typeof ERRORS].title);
    expect(text).toContain('Remedy');
  });

  it('the list of problems links to each, and an unknown one is not found', async () => {
    const text = await isQuietPage('/problems');
    for (const code of Object.keys(ERRORS)) expect(text).toContain(`/problems/${code}"`);
    for (const code of ['nothing', 'toString', '__proto__', '%3Cscript%3E']) {
      expect((await harness.call(`/problems/${code}`)).status).toBe(404);
    }
  });

  it('use a style file of the service', async () => {
    const answer = await harness.call('/assets/reference.css');
    expect(answer.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(await answer.text()).toContain('body {');
  });
});

describe('health', () => {
  it('is live while the process answers', async () => {
    const answer = await harness.call('/health/live');
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'up' }]);
  });

  it('is ready when everything is up, and otherwise names the missing part', async () => {
    expect(await (await harness.call('/health/ready')).json()).toEqual({ status: 'up', checks: UP });
    const temporal = { status: 'down', detail: 'no answer in 1 s' } as const;
    const partly = await startHttpHarness({ readiness: async () => ({ ...UP, temporal }) });
    const answer = await partly.call('/health/ready');
    expect([answer.status, await answer.json()]).toEqual([503, { status: 'down', checks: { ...UP, temporal } }]);
  });

  it('is not ready when a check gives no result', async () => {
    const broken = await startHttpHarness({ readiness: () => Promise.reject(new Error('no')) });
    const answer = await broken.call('/health/ready');
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { status: 'down', checks: { database: { status: 'down' } } },
    ]);
  });
});

describe('GET /metrics', () => {
  it('is open in development and counts requests by route', async () => {
    await harness.call('/api/companies/33333333-3333-4333-8333-333333333333');
    const answer = await harness.call('/metrics');
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await answer.text()).toMatch(/_count\{method="GET",route="\/api\/companies\/:id",status="401"\} 1/);
  });

  it('does not exist in production without a token', async () => {
    const closed = await startHttpHarness({ config: { production: true } });
    expect((await closed.call('/metrics')).status).toBe(404);
  });

  it('requires its token where one is configured', async () => {
    const guarded = await startHttpHarness({ config: { production: true, metricsToken: 'm3trics' } });
    const read = (authorization?: string) =>
      guarded.call('/metrics', authorization ? { headers: { authorization } } : {});
    const missing = await read();
    expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await read('Bearer wrong')).status).toBe(401);
    expect((await read('m3trics')).status).toBe(401);
    expect((await read('Bearer m3trics')).status).toBe(200);
  });
});

describe('headers', () => {
  it('of security are on every answer, including refusals', async () => {
    for (const path of ['/docs', '/nowhere', '/api/broken/throws']) {
      const { headers } = await harness.call(path);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('strict-transport-security')).toMatch(/max-age=31536000/);
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('X-Request-Id is generated by the service for each request', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () =>
        (await harness.call('/docs', { headers: { 'x-request-id': 'mine' } })).headers.get('x-request-id'),
      ),
    );
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('of CORS are for listed origins only', async () => {
    const ask = (origin: string, method = 'OPTIONS') =>
      harness.call('/api/any', { method, headers: { origin, 'access-control-request-method': 'POST' } });
    const preflight = await ask('https://front.example');
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://front.example');
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/Authorization/);
    const refused = await ask('https://front.example', 'PUT');
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      405,
      'https://front.example',
    ]);
    expect(refused.headers.get('vary')).toMatch(/Origin/);
    for (const origin of ['https://evil.example', 'null', 'https://front.example.evil.example']) {
      expect((await ask(origin)).headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});
