import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { CLIENT, startHttpHarness, until } from '../../../testing/http-harness.ts';
import { opened } from '../../../testing/opened.ts';

const harness = await opened(startHttpHarness());

interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const send = (method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<Seen> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(`${harness.server.url}${path}`, { method, headers: { ...length, ...headers } }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sent.once('error', reject);
    sent.end(body);
  });

const isProblem = ({ status, headers, text }: Seen, method: string): boolean => {
  if (headers['content-type'] !== 'application/problem+json') return false;
  if (method === 'HEAD') return text === '';
  const body = JSON.parse(text) as Record<string, unknown>;
  return body['status'] === status && body['requestId'] === headers['x-request-id'];
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE'];
const PATHS = [
  '/',
  '/nowhere',
  '/health/live',
  '/openapi.json',
  '/api/any',
  '/api/nothing',
  `/api/companies/${CLIENT}`,
];
const BODIES = [undefined, '', '{}', '{', 'x'.repeat(100_000)];
const HEADERS: Record<string, string>[] = [
  {},
  { connection: 'close' },
  { origin: 'https://front.example' },
  { origin: 'https://other.example', 'access-control-request-method': 'POST' },
  { origin: 'https://front.example', 'access-control-request-method': 'POST' },
  { 'content-type': 'application/json', expect: '100-continue' },
];

describe('every method', () => {
  it.each(METHODS)('%s is answered by a problem or as declared, with a body and without', async (method) => {
    const { paths } = JSON.parse((await send('GET', '/openapi.json')).text) as {
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
    };
    for (const path of PATHS) {
      const known = paths[path.replace(CLIENT, '{id}')];
      const declared = known?.[method === 'HEAD' ? 'get' : method.toLowerCase()]?.responses ?? {};
      for (const body of BODIES) {
        for (const headers of HEADERS) {
          const seen = await send(method, path, body, headers);
          const { status } = seen;
          const facts = { method, path, bytes: body?.length, headers, status, type: seen.headers['content-type'] };
          const preflight = method === 'OPTIONS' && status === 204 && seen.text === '';
          const right = isProblem(seen, method) || preflight || String(status) in declared;
          expect({ ...facts, right }).toEqual({ ...facts, right: true });
          expect(status).not.toBe(500);
          expect(seen.headers['x-request-id']).toBeDefined();
        }
      }
    }
  });

  it('OPTIONS with a body and without Origin lists the allowed methods', async () => {
    const { status, headers } = await send('OPTIONS', '/api/any', '{"a":1}');
    expect([status, headers['allow'], headers['content-type']]).toEqual([204, 'POST, OPTIONS', undefined]);
  });

  it('an answer without a body is sent before the rest of the request has arrived, and the connection stays usable', async () => {
    const socket = connect(harness.server.port, '127.0.0.1');
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
    });
    socket.write(`OPTIONS /api/any HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n${' '.repeat(100_000)}`);
    await until(() => text.includes('HTTP/1.1 204'));
    socket.write(`${' '.repeat(100_000)}GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n`);
    await until(() => text.includes('{"status":"up"}'));
    socket.destroy();
  });
});
