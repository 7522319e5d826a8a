import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { uploadedFile } from '../../../src/platform/http/body.ts';
import { defineRoute, type Route } from '../../../src/platform/http/define-route.ts';
import { type HttpHarness, startHttpHarness, until } from '../../../testing/http-harness.ts';
import { opened } from '../../../testing/opened.ts';

const LIMITS = {
  headersMs: 600,
  bodyMs: 600,
  importBodyMs: 2_500,
  importWaitMs: 1_500,
  answerIdleMs: 1_500,
  importBodiesAtOnce: 2,
  smallImportBytes: 0,
  slowestImport: { afterMs: 1_000, bytesPerSecond: 50 },
};

let working = 0;
let most = 0;
let letGo: () => void = () => undefined;
let held: Promise<void> | undefined;

const facts = {
  method: 'POST',
  tags: ['Samples'],
  summary: 'A sample',
  errors: [],
  auth: 'bearer',
  right: 'read',
  isImport: true,
  bodyLimit: 32 * 1024 * 1024,
} as const;

const importRoutes: Route[] = [
  defineRoute({
    ...facts,
    path: '/api/sample-import',
    operationId: 'sampleImport',
    bodyType: 'json-bytes',
    body: z.instanceof(Uint8Array),
    responses: { 200: { description: 'How much came', schema: z.object({ bytes: z.int() }) } },
    handler: async ({ body }) => {
      working += 1;
      most = Math.max(most, working);
      await (held ?? sleep(20));
      working -= 1;
      return { status: 200, body: { bytes: body.length } };
    },
  }),
  defineRoute({
    ...facts,
    path: '/api/sample-upload',
    operationId: 'sampleImportUpload',
    bodyType: 'multipart',
    body: z.object({ file: uploadedFile() }),
    responses: { 200: { description: 'How much came', schema: z.object({ bytes: z.int() }) } },
    handler: async ({ body: { file } }) => ({ status: 200, body: { bytes: file.bytes.length } }),
  }),
  defineRoute({
    ...facts,
    path: '/api/sample-large-answer',
    operationId: 'sampleLargeAnswer',
    bodyType: 'json-bytes',
    body: z.instanceof(Uint8Array),
    responses: { 200: { description: 'Much', contentType: 'text/plain' } },
    handler: async () => ({ status: 200, body: 'x'.repeat(64 * 1024 * 1024) }),
  }),
];

const harness = await opened(startHttpHarness({ limits: LIMITS, routes: importRoutes, maxConnections: 2_000 }));

interface Line {
  readonly socket: Socket;
  text: string;
  closed: boolean;
}

const lines: Line[] = [];
afterEach(() => {
  for (const { socket } of lines.splice(0)) socket.destroy();
  letGo();
  held = undefined;
});

function open(first: string, to: HttpHarness = harness): Line {
  const socket = connect({ port: to.server.port, host: '127.0.0.1', allowHalfOpen: true });
  const line: Line = { socket, text: '', closed: false };
  socket.on('data', (data) => {
    line.text += data.toString();
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    line.closed = true;
  });
  // The server has closed its half; this client keeps its own half open as long as it can.
  socket.once('end', () => {
    line.closed = true;
  });
  socket.write(first);
  lines.push(line);
  return line;
}

const post = (path: string, extra = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n${extra}`;
const sized = (path: string, bytes = 1_000) => `${post(path)}Content-Length: ${bytes}\r\n\r\n`;

/** Sends one byte at a time until the server has closed the connection. */
async function trickle(line: Line, bytes = ' '): Promise<void> {
  while (!line.closed) {
    line.socket.write(bytes);
    await sleep(50);
  }
}

const problemOf = (text: string) => {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(/^Content-Type: application\/problem\+json$/im);
  return JSON.parse(body) as { status: number; code: string };
};

const importOf = (token = 'good', to: HttpHarness = harness) =>
  to.call('/api/sample-import', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: ' '.repeat(10),
  });
/** Two clients have both places for the work, until `letGo`. */
async function takeBothPlaces(): Promise<Promise<Response>[]> {
  held = new Promise((resolve) => {
    letGo = resolve;
  });
  const first = [importOf(), importOf('other')];
  await until(() => working === 2);
  return first;
}

describe('a slow client', () => {
  it.each([
    ['that says nothing', ''],
    ['that never ends its headers', 'GET /health/live HTTP/1.1\r\nHost: x\r\nA: b'],
  ])('%s receives an answer, and its connection is closed', async (_name, first) => {
    const start = performance.now();
    const line = open(first);
    await until(() => line.closed);
    expect(problemOf(line.text)).toMatchObject({ status: 408, code: 'request_timeout' });
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('that sends its headers slowly gets no more time', async () => {
    const line = open('GET /health/live HTTP/1.1\r\nHost: x\r\n');
    await trickle(line, 'A: b\r\n');
    expect(line.text).toMatch(/^HTTP\/1\.1 408 /);
  });

  it.each([
    ['with a length', sized('/api/any')],
    ['in chunks', `${post('/api/any')}Transfer-Encoding: chunked\r\n\r\n`],
    ['compressed', `${post('/api/any', 'Content-Encoding: gzip\r\n')}Content-Length: 1000\r\n\r\n`],
    ['to login', sized('/api/login')],
    ['to a webhook', sized('/api/hook')],
    ['as an upload', sized('/api/upload').replace('application/json', 'multipart/form-data; boundary=b')],
    ['to an import', sized('/api/sample-import')],
    [
      'to an import as an upload',
      sized('/api/sample-upload').replace('application/json', 'multipart/form-data; boundary=b'),
    ],
  ])('that sends its body slowly %s receives an answer, and its connection is closed', async (_name, first) => {
    const start = performance.now();
    const line = open(first);
    await trickle(line, first.includes('chunked') ? '1\r\n \r\n' : first.includes('gzip') ? '\x1f' : ' ');
    const seconds = (performance.now() - start) / 1000;
    if (first.includes('gzip')) expect(problemOf(line.text).status).toBeGreaterThanOrEqual(400);
    else expect(problemOf(line.text)).toMatchObject({ status: 408, code: 'request_timeout' });
    expect(seconds).toBeLessThan(12);
  });

  it('that disconnects during a compressed body leaves nothing behind', async () => {
    const bytes = gzipSync(Buffer.alloc(100_000, 'abcdefghi'));
    const before = harness.logLines().length;
    const line = open(
      `${post('/api/sample-import', 'Content-Encoding: gzip\r\n')}Content-Length: ${bytes.length}\r\n\r\n`,
    );
    line.socket.write(bytes.subarray(0, 50));
    await sleep(50);
    line.socket.destroy();
    await until(() =>
      harness
        .logLines()
        .slice(before)
        .some((one) => one['status'] === 499),
    );
    expect((await importOf()).status).toBe(200);
    expect((await importOf()).status).toBe(200);
  });

  it('that keeps its half of a refused connection open is disconnected', async () => {
    const closedByServer = (line: Line) =>
      new Promise<void>((resolve) => {
        const poke = setInterval(() => line.socket.write('x'), 50);
        line.socket.once('close', () => {
          clearInterval(poke);
          resolve();
        });
      });
    const refused = ['NONSENSE\r\n\r\n', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'].map((first) => open(first));
    await Promise.all(refused.map(closedByServer));
    // Without a listener, a reset of a connection that Node has released would end the process.
    for (let turn = 0; turn < 20; turn++) open('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n').socket.resetAndDestroy();
    expect((await harness.call('/health/live')).status).toBe(200);
  });

  it('is closed in time among 500 slow clients, while other clients are served', async () => {
    const start = performance.now();
    const slow = Array.from({ length: 500 }, (_, n) =>
      open(n % 2 === 0 ? 'GET /health/live HTTP/1.1\r\nHost: x\r\n' : sized('/api/any')),
    );
    const poking = slow.map((line, n) => trickle(line, n % 2 === 0 ? 'A: b\r\n' : ' '));
    let served = 0;
    while (slow.some(({ closed }) => !closed)) {
      const asked = performance.now();
      expect((await harness.call('/health/live')).status).toBe(200);
      served += 1;
      expect(performance.now() - asked).toBeLessThan(2_000);
      expect(performance.now() - start).toBeLessThan(90_000);
      await sleep(20);
    }
    await Promise.all(poking);
    expect(served).toBeGreaterThan(5);
    expect(slow.every(({ text }) => /^HTTP\/1\.1 408 /.test(text))).toBe(true);
  });
});

describe('connections', () => {
  it('beyond the limit are closed at once', async () => {
    const small = await startHttpHarness({ maxConnections: 3 });
    const kept = Array.from({ length: 3 }, () => open('', small));
    await sleep(100);
    const refused = open('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n', small);
    await until(() => refused.closed);
    expect(refused.text).toBe('');
    kept[0]!.socket.destroy();
    await until(() => kept[0]!.closed);
    await sleep(100);
    expect((await small.call('/health/live')).status).toBe(200);
  });
});

describe('concurrent imports', () => {
  it('run two at a time, and all are answered', async () => {
    most = 0;
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => importOf(n % 2 === 0 ? 'good' : 'other')));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(most).toBeLessThanOrEqual(2);
  });

  it('wait for nobody when they are small', async () => {
    const limits = { ...LIMITS, importBodiesAtOnce: 8, smallImportBytes: 10 };
    const roomy = await startHttpHarness({ limits, routes: importRoutes });
    const { promise, resolve: letLarge } = Promise.withResolvers<void>();
    held = promise;
    const large = ['good', 'other'].map((token) => {
      const line = open(sized('/api/sample-import', 11).replace('good', token), roomy);
      line.socket.write(' '.repeat(11));
      return line;
    });
    await until(() => working === 2);
    held = undefined;
    expect((await importOf('good', roomy)).status).toBe(200);
    letLarge();
    await until(() => large.every(({ text }) => text.includes('{"bytes":11}')));
  });

  it('of one client never take all places', async () => {
    held = new Promise((resolve) => {
      letGo = resolve;
    });
    const own = Array.from({ length: 6 }, () => importOf());
    await until(() => working === 1);
    const other = importOf('other');
    await until(() => working === 2);
    letGo();
    expect((await other).status).toBe(200);
    await Promise.all(own);
  });

  it('are not kept from their places by uploads that have not arrived', async () => {
    const roomy = await startHttpHarness({ limits: { ...LIMITS, importBodiesAtOnce: 8 }, routes: importRoutes });
    const slow = ['good', 'good', 'other'].map((token) =>
      open(sized('/api/sample-import', 1_000_000).replace('good', token), roomy),
    );
    for (const line of slow) line.socket.write(' '.repeat(10));
    expect((await importOf('other', roomy)).status).toBe(200);
    // A client that sends next to nothing is not waited for until the end of its time.
    await until(() => slow.every(({ closed }) => closed));
    expect(slow.map(({ text }) => problemOf(text).code)).toEqual(Array(3).fill('request_timeout'));
  });

  it('let others wait with unread bodies, and refuse them after a time', async () => {
    const first = await takeBothPlaces();
    const waiting = open(sized('/api/sample-import', 30_000_000));
    let taken = 0;
    const chunk = Buffer.alloc(256 * 1024, 32);
    const push = () => {
      while (taken < 100 && waiting.socket.write(chunk)) taken += 1;
      if (taken < 100) waiting.socket.once('drain', push);
    };
    push();
    await until(() => waiting.text.includes('"code":"unavailable"'));
    expect(waiting.text).toMatch(/^HTTP\/1\.1 503 /);
    expect(waiting.text).toMatch(/\r\nRetry-After: 2\r\n/i);
    letGo();
    for (const answer of await Promise.all(first)) expect(answer.status).toBe(200);
    expect((await importOf()).status).toBe(200);
  });

  it('have the full time for the body after the wait for a place', async () => {
    const first = await takeBothPlaces();
    const late = open(sized('/api/sample-import', 10));
    await sleep(1_000);
    letGo();
    held = undefined;
    await Promise.all(first);
    await sleep(700);
    late.socket.write(' '.repeat(10));
    await until(() => late.text.includes('{"bytes":10}'));
  });

  it('release their places when the client is slow, disconnects, or does not read the answer', async () => {
    const trickling = [open(sized('/api/sample-import')), open(sized('/api/sample-import'))];
    const poking = trickling.map((line) => trickle(line));
    await Promise.all(poking);
    expect((await importOf()).status).toBe(200);

    for (const line of [open(sized('/api/sample-import')), open(sized('/api/sample-import'))]) {
      await sleep(50);
      line.socket.destroy();
    }
    expect((await importOf()).status).toBe(200);

    const deaf = [0, 1].map(() => {
      const socket = connect(harness.server.port, '127.0.0.1');
      socket.pause();
      socket.on('error', () => undefined);
      socket.write(`${sized('/api/sample-large-answer', 2)}{}`);
      return socket;
    });
    await sleep(200);
    await sleep(LIMITS.answerIdleMs);
    expect((await importOf()).status).toBe(200);
    for (const socket of deaf) socket.destroy();
  });
});

describe('an answer that nobody reads', () => {
  it('is closed in time', async () => {
    const small = await startHttpHarness({ limits: { ...LIMITS, answerIdleMs: 300 }, routes: importRoutes });
    const deaf = connect(small.server.port, '127.0.0.1');
    deaf.pause();
    deaf.on('error', () => undefined);
    deaf.write(`${sized('/api/sample-large-answer', 2)}{}`);
    await until(() => small.logText().includes('"status":499'));
    deaf.destroy();
  });
});
