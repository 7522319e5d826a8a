import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { BUILT_CONSOLE, CONSOLE_SEGMENTS, readConsole } from '../../src/platform/http/console.ts';
import { startHttpHarness } from '../../testing/http-harness.ts';
import { opened } from '../../testing/opened.ts';
import { builtFile, firstLoad, OPERATORS_PAGE, PAGE } from './support/built.ts';

interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const UUID = '3f6c0f5e-0f0a-4b0e-9d53-0a3f5ad7e2b1';

const harness = await opened(startHttpHarness({ console: await readConsole() }));

/** Sends the path as it is; `fetch` would resolve dots and decompress. */
const send = (path: string, headers: Record<string, string> = {}, method = 'GET', from = harness): Promise<Seen> =>
  new Promise((resolve, reject) => {
    const sent = request(from.server.url, { path, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.once('error', reject);
    sent.end();
  });

const isProblem = async (path: string, headers: Record<string, string> = {}) => {
  const { status, headers: answered, body } = await send(path, headers);
  expect([path, status, answered['content-type'], answered['cache-control']]).toEqual([
    path,
    404,
    'application/problem+json',
    'no-store',
  ]);
  expect(JSON.parse(body.toString())).toMatchObject({ status: 404, code: 'not_found' });
};

const PAGES = [
  '/',
  '/?de=2026-01-01',
  ...CONSOLE_SEGMENTS.map((segment) => `/${segment}`),
  '/campanhas/',
  `/campanhas/${UUID}/importar`,
  `/dividas/${UUID}?aba=conversa`,
];

describe('the page of the console', () => {
  it.each(PAGES)('%s', async (path) => {
    for (const accept of [HTML, '*/*', undefined]) {
      const { status, headers, body } = await send(path, accept === undefined ? {} : { accept });
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(body.equals(builtFile(PAGE))).toBe(true);
    }
  });

  it('has the policy of the API, and forbids scripts to turn text into HTML', async () => {
    const { headers } = await send('/', { accept: HTML });
    const policyOfApi = (await send('/docs')).headers['content-security-policy'];
    expect(headers['content-security-policy']).toBe(
      `${policyOfApi};require-trusted-types-for 'script';trusted-types 'none'`,
    );
    expect(policyOfApi).toContain("frame-ancestors 'none'");
    expect(policyOfApi).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  it('is asked for again at each visit, and sent only when it has changed', async () => {
    const { headers } = await send('/', { accept: HTML });
    expect(headers['cache-control']).toBe('no-cache');
    const again = await send('/campanhas', { accept: HTML, 'if-none-match': String(headers['etag']) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect(again.headers).toMatchObject({
      etag: headers['etag'],
      'cache-control': 'no-cache',
      // Browsers replace the stored header by this one.
      'content-security-policy': headers['content-security-policy'],
    });
    expect((await send('/', { accept: HTML, 'if-none-match': '"another"' })).status).toBe(200);
  });

  it('is not the answer to a program that asks for JSON', async () => {
    for (const accept of ['application/json', 'application/problem+json', 'application/json, text/plain, */*']) {
      for (const path of ['/', '/campanhas', `/dividas/${UUID}`]) await isProblem(path, { accept });
    }
    expect((await send('/', { accept: HTML })).headers['vary']).toContain('Accept,');
  });

  it.each(['/api', '/api/campanhas'])('%s is a problem for everybody', async (path) => {
    await isProblem(path, { accept: HTML });
    await isProblem(path, { accept: 'application/json' });
  });

  it.each(['/nada', '/Campanhas', '/campanhasx', '//', '//campanhas', '/%2f', '/index.html'])(
    '%s is mistyped: a page that leads to the console, and a problem for a program',
    async (path) => {
      const { status, headers, body } = await send(path, { accept: HTML });
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(body.toString()).toContain('<a href="/">');
      await isProblem(path, { accept: 'application/json' });
    },
  );

  it('leaves the addresses of the API to the API', async () => {
    for (const path of ['/docs', '/openapi.json', '/confirm-email', '/reset-password', '/health/live', '/metrics']) {
      const { status, headers, body } = await send(path, { accept: HTML });
      expect([path, status]).toEqual([path, 200]);
      expect(headers['content-security-policy']).not.toContain('trusted-types');
      expect(body.equals(builtFile(PAGE))).toBe(false);
    }
    for (const path of [`/verify/QT-2026-AAAA`, `/checkout/${UUID}`]) {
      const { headers } = await send(path, { accept: 'application/json' });
      expect(headers['content-security-policy']).not.toContain('trusted-types');
    }
  });

  it('knows GET and HEAD', async () => {
    for (const path of ['/', '/campanhas', '/console/x']) {
      const refused = await send(path, {}, 'POST');
      expect([refused.status, refused.headers['allow']]).toEqual([405, 'HEAD, GET, OPTIONS']);
    }
    const page = await send('/', { accept: HTML });
    const head = await send('/', { accept: HTML }, 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'content-security-policy']) {
      expect([name, head.headers[name]]).toEqual([name, page.headers[name]]);
    }
  });

  it('is a problem that says what to do while it is not built', async () => {
    const notBuilt = await readConsole(mkdtempSync(join(tmpdir(), 'quita-console-')));
    expect(notBuilt).toBeUndefined();
    expect(await readConsole(join(BUILT_CONSOLE, 'absent'))).toBeUndefined();
    const alone = await startHttpHarness({ console: notBuilt });
    const { status, body } = await send('/', { accept: HTML }, 'GET', alone);
    expect(status).toBe(404);
    expect(JSON.parse(body.toString())).toMatchObject({ detail: expect.stringContaining('is not built') });
    expect((await send('/console/assets/x.js', {}, 'GET', alone)).status).toBe(404);
    expect((await send('/health/live', {}, 'GET', alone)).status).toBe(200);
  });
});

describe('the page of operators', () => {
  const ADDRESSES = [
    '/operador',
    '/operador/',
    '/operador/convite',
    `/operador/empresas/${UUID}`,
    '/operador/saude?a=1',
  ];

  it.each(ADDRESSES)('%s is a page of its own, with the headers of the console', async (path) => {
    const console = await send('/', { accept: HTML });
    const { status, headers, body } = await send(path, { accept: HTML });
    expect([status, body.equals(builtFile(OPERATORS_PAGE)), body.equals(builtFile(PAGE))]).toEqual([200, true, false]);
    for (const name of [
      'content-type',
      'cache-control',
      'content-security-policy',
      'referrer-policy',
      'x-content-type-options',
      'x-frame-options',
      'vary',
    ]) {
      expect([name, headers[name]]).toEqual([name, console.headers[name]]);
    }
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('is the same for everybody, and a problem for a program', async () => {
    const credentials = { authorization: 'Bearer x', cookie: 'quita_session=x; quita_operator=y' };
    for (const path of ADDRESSES) {
      const { status, body } = await send(path, { accept: HTML, ...credentials });
      expect([status, body.equals(builtFile(OPERATORS_PAGE))]).toEqual([200, true]);
      await isProblem(path, { accept: 'application/json', ...credentials });
    }
    for (const path of ['/operadorx', '/Operador', '/operadores']) {
      expect([path, (await send(path, { accept: HTML })).status]).toEqual([path, 404]);
    }
    expect((await send('/operador', {}, 'POST')).status).toBe(405);
  });
});

describe('the files of the console', () => {
  const { scripts, styles } = firstLoad();
  const files = [...scripts, ...styles].map((name) => [name] as const);

  it.each(files)('%s is kept by browsers for a year', async (name) => {
    const { status, headers, body } = await send(`/console/${name}`);
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(headers['content-type']).toBe(`text/${name.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(body.equals(builtFile(name))).toBe(true);
    const again = await send(`/console/${name}`, { 'if-none-match': String(headers['etag']) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const head = await send(`/console/${name}`, {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, String(body.length), 0]);
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'br'],
    ['gzip, deflate', 'gzip'],
    ['gzip, br;q=0', 'gzip'],
    ['zstd', undefined],
    ['identity', undefined],
    ['', undefined],
    ['*;q=0', undefined],
  ])('with Accept-Encoding %j are sent as %j', async (accepted, encoding) => {
    const name = scripts[0]!;
    const plain = builtFile(name);
    const { headers, body } = await send(`/console/${name}`, { 'accept-encoding': accepted });
    expect([headers['content-encoding'], headers['content-length']]).toEqual([encoding, String(body.length)]);
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((bytes: Buffer) => bytes);
    expect(decode(body).equals(plain)).toBe(true);
    expect(headers['vary']).toContain('Accept-Encoding');
  });

  it('have an ETag for each encoding', async () => {
    const etags = await Promise.all(
      ['br', 'gzip', ''].map(
        async (accepted) => (await send(`/console/${scripts[0]}`, { 'accept-encoding': accepted })).headers['etag'],
      ),
    );
    expect(new Set(etags).size).toBe(3);
  });

  it.each([
    '/console',
    '/console/',
    '/console/x',
    '/console/index.html',
    '/console/operador.html',
    '/console/assets',
    '/console/assets/',
    `/console/${scripts[0]}.br`,
    `/console/${scripts[0]}/`,
    `/console//${scripts[0]}`,
    '/console/../package.json',
    '/console/../../package.json',
    '/console/assets/../../../package.json',
    '/console/%2e%2e/%2e%2e/package.json',
    '/console/..%2f..%2fpackage.json',
    '/console/..%5c..%5cpackage.json',
    '/console/%00',
    '/console/__proto__',
    '/console//etc/passwd',
    '/console/%E0%A4%A',
    '/console/src/main.tsx',
  ])('%s is a problem', (path) => isProblem(path, { accept: HTML }));
});
