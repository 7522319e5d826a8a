import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import Koa from 'koa';
import { startServer } from '../../../src/platform/http/server.ts';
import { startHttpHarness, until } from '../../../testing/http-harness.ts';
import { opened } from '../../../testing/opened.ts';

const harness = await opened(startHttpHarness());

const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(harness.server.port, '127.0.0.1');
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString();
    });
    socket.once('close', () => resolve(answer));
    socket.once('error', reject);
    socket.write(text);
  });

describe('invalid HTTP', () => {
  it.each([
    ['nonsense', 'NONSENSE\r\n\r\n', 400],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a proxy’s method', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['a missing host', 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s is answered by a complete problem document', async (_name, text, status) => {
    const answer = await raw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^Content-Type: application\/problem\+json$/im);
    const requestId = /^X-Request-Id: (.+)$/im.exec(head)?.[1];
    expect(JSON.parse(body)).toMatchObject({
      status,
      requestId,
      type: expect.stringMatching(/^https:\/\/quita\.example\/problems\//),
    });
  });

  it('an unknown expectation and an upgrade are served as plain requests', async () => {
    const text = await raw('GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    const upgrade = raw(
      'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
    );
    expect(await upgrade).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('an absolute target is served, and a malformed one is not found', async () => {
    expect(await raw('GET http://x/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 200 /,
    );
    expect(await raw('GET http://[x/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 404 /,
    );
    expect(await raw('OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe('start and stop', () => {
  it('a taken port fails the start', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(startServer(new Koa(), { host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await new Promise((resolve) => other.close(resolve));
  });

  it('a request in flight is answered before the server closes, and no new one is taken', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrived = false;
    const closing = await startHttpHarness({
      hold: () => {
        arrived = true;
        return held;
      },
    });
    const answer = closing.call('/api/held');
    await until(() => arrived);
    let closed = false;
    const done = closing.server.close().then(() => {
      closed = true;
    });
    await expect(closing.call('/health/live')).rejects.toThrow();
    expect(closed).toBe(false);
    release();
    const received = await answer;
    expect(received.headers.get('connection')).toBe('close');
    expect(await received.json()).toEqual({ seen: 'held' });
    await done;
    await closing.server.close();
  });

  it('an unfinished request is disconnected when the time for draining is over', async () => {
    let arrived = false;
    const closing = await startHttpHarness({
      drainMs: 50,
      hold: () => {
        arrived = true;
        return new Promise(() => undefined);
      },
    });
    const answer = closing.call('/api/held').catch(() => 'cut off');
    await until(() => arrived);
    await closing.server.close();
    expect(await answer).toBe('cut off');
  });
});

describe('an error that reaches no handler', () => {
  it('is answered with 500 and ends no process, whatever callback throws it', async () => {
    const script = new URL('./throw-in-callbacks.ts', import.meta.url).pathname;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script]);
    const { afterwards, ...answers } = JSON.parse(stdout) as Record<string, unknown>;
    expect(afterwards).toBe(200);
    expect(Object.keys(answers).length).toBeGreaterThan(8);
    for (const answer of Object.values(answers)) expect(answer).toEqual([500, 'internal_error']);
    expect(stderr.split('an error reached no handler').length - 1).toBe(Object.keys(answers).length + 1);
  });
});
