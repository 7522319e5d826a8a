import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineRoute } from '../../src/platform/http/define-route.ts';
import { requireSameOrigin } from '../../src/platform/http/same-origin.ts';
import { takePort } from '../../src/platform/runtime/free-port.ts';
import { type HttpHarness, startHttpHarness, stopHttpHarnesses, until } from '../../testing/http-harness.ts';
import { ROOT } from '../startup/support.ts';

const HTML = { headers: { accept: 'text/html' } };

/** Refuses as the routes of the console's session do. */
const sameOrigin = defineRoute({
  method: 'POST',
  path: '/api/same-origin',
  operationId: 'sampleSameOrigin',
  summary: 'A sample',
  tags: ['Samples'],
  auth: 'none',
  responses: { 200: { description: 'The origin is ours', schema: z.object({ host: z.string().optional() }) } },
  errors: ['origin_refused'],
  handler: async ({ request }) => {
    requireSameOrigin(request, { publicUrl: 'https://quita.example', production: false });
    return { status: 200, body: { host: request.headers.host } };
  },
});

let harness: HttpHarness;
let vite: ChildProcess;
let url: string;
beforeAll(async () => {
  harness = await startHttpHarness({ routes: [sameOrigin] });
  const port = await takePort({ name: 'Vite', preferred: 0, host: '127.0.0.1', log: () => {} });
  url = `http://localhost:${port}`;
  // A jest process has variables of its own, of which NODE_ENV would change what Vite serves.
  const env = { PATH: process.env['PATH'], PORT: String(harness.server.port) };
  const args = [join(ROOT, 'node_modules/vite/bin/vite.js'), '--config', 'web/vite.config.ts', '--port', String(port)];
  vite = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  vite.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await until(() => said.includes('ready in'));
});
afterAll(async () => {
  vite?.kill();
  await stopHttpHarnesses();
});

describe('the dev server', () => {
  it('answers the addresses of the console with its page', async () => {
    for (const path of ['/', '/campanhas', '/campanhas/a/importar?passo=2', '/entrar']) {
      const answer = await fetch(url + path, HTML);
      expect([path, answer.status]).toEqual([path, 200]);
      const page = await answer.text();
      expect(page).toContain('<div id="console">');
      expect(page).toContain('/console/src/main.tsx');
    }
  });

  it('answers the addresses of operators with theirs', async () => {
    for (const path of ['/operador', '/operador/convite', '/operador?a=1']) {
      expect([
        path,
        (await (await fetch(url + path, HTML)).text()).includes('/console/src/operators/main.tsx'),
      ]).toEqual([path, true]);
    }
    expect(await (await fetch(`${url}/operadores`, HTML)).text()).toContain('/console/src/main.tsx');
  });

  it('serves the sources of the console', async () => {
    for (const path of ['/console/src/main.tsx', '/console/src/theme-script.js', '/console/@vite/client']) {
      const answer = await fetch(url + path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'text/javascript']);
      expect(await answer.text()).not.toContain('<div id="console">');
    }
  });

  it('passes every address of the API on', async () => {
    const document = (await (await harness.call('/openapi.json')).json()) as { paths: object };
    const segments = new Set(Object.keys(document.paths).map((path) => path.split('/')[1]!));
    expect(segments.size).toBeGreaterThan(8);
    for (const segment of segments) {
      const answer = await fetch(`${url}/${segment}`, HTML);
      expect([segment, answer.headers.get('x-request-id') !== null]).toEqual([segment, true]);
    }
    expect((await (await fetch(`${url}/health/live`)).json()) as object).toEqual({ status: 'up' });
  });

  it('passes the check of the origin for its own page, and for no other', async () => {
    const post = (origin: string) => fetch(`${url}/api/same-origin`, { method: 'POST', headers: { origin } });
    const own = await post(url);
    expect([own.status, await own.json()]).toEqual([200, { host: new URL(url).host }]);
    expect((await post('https://other.example')).status).toBe(403);
  });
});
