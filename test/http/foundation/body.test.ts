import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import Koa from 'koa';
import { z } from 'zod';
import { AppError } from '../../../src/kernel/errors.ts';
import { defineRoute } from '../../../src/platform/http/define-route.ts';
import { startServer } from '../../../src/platform/http/server.ts';
import { answerWhileClientSends } from '../../../src/platform/http/unread-body.ts';
import { startHttpHarness, until } from '../../../testing/http-harness.ts';
import { opened } from '../../../testing/opened.ts';

const harness = await opened(startHttpHarness());

const code = async (answer: Response) => ((await answer.json()) as { code?: string }).code ?? answer.status;

describe('a JSON body', () => {
  it.each(['{', '{"a":}', "{'a':1}", 'nothing', '{"a":1}x', '\u0000', ' '])('%j is malformed', async (body) => {
    expect(await code(await harness.post('/api/any', body))).toBe('malformed_json');
  });

  it('that is missing or empty is malformed where it is required, and absent where it is optional', async () => {
    expect(await code(await harness.call('/api/signup', { method: 'POST' }))).toBe('malformed_json');
    expect(await code(await harness.post('/api/signup', ''))).toBe('malformed_json');
    expect(await (await harness.call('/api/any', { method: 'POST' })).json()).toEqual({ seen: 'undefined' });
  });

  it.each([
    ['true', 'boolean'],
    ['12', 'number'],
    ['"x"', 'string'],
    ['\ufeff{"a":1,"a":2}', 'object'],
  ])('%s is read as %s', async (body, seen) => {
    expect(await (await harness.post('/api/any', body)).json()).toEqual({ seen });
  });

  it('may be nested 32 levels deep, and brackets in its texts do not count', async () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect((await harness.post('/api/any', deep(32))).status).toBe(200);
    expect((await harness.post('/api/any', `${'{"a":'.repeat(32)}1${'}'.repeat(32)}`)).status).toBe(200);
    expect((await harness.post('/api/any', JSON.stringify(['['.repeat(100), `"\\"${'{'.repeat(100)}`]))).status).toBe(
      200,
    );
    expect((await harness.post('/api/any', `[${'[],'.repeat(1_000)}[]]`)).status).toBe(200);
    for (const levels of [33, 10_000, 131_000]) {
      expect(await code(await harness.post('/api/any', deep(levels)))).toBe('malformed_json');
      expect(await code(await harness.post('/api/signup', deep(levels)))).toBe('malformed_json');
    }
    expect(await code(await harness.post('/api/any', '{"a":'.repeat(10_000)))).toBe('malformed_json');
  });

  it('cannot change prototypes', async () => {
    const answer = await harness.post(
      '/api/strings',
      '{"__proto__":{"polluted":1},"a":{"\\u005f_proto__":{"b":1},"c":2},"d":[{"__\\u0070roto__":{"e":1}}]}',
    );
    expect(await answer.json()).toEqual({ seen: { a: { c: 2 }, d: [{}] } });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('needs its content type', async () => {
    const send = (headers: Record<string, string>) =>
      harness.call('/api/any', { method: 'POST', headers, body: Buffer.from('{}') });
    expect(await code(await send({}))).toBe('unsupported_media_type');
    expect(await code(await send({ 'content-type': 'text/json' }))).toBe('unsupported_media_type');
    expect(await code(await send({ 'content-type': 'application/json; charset=latin1' }))).toBe(
      'unsupported_media_type',
    );
    expect(await code(await send({ 'content-type': 'application/json', 'content-encoding': 'br2' }))).toBe(
      'unsupported_media_type',
    );
    expect((await send({ 'content-type': 'APPLICATION/JSON; charset=UTF-8' })).status).toBe(200);
    expect((await send({ 'content-type': 'application/vnd.x+json' })).status).toBe(200);
  });

  it('may be compressed, and its decompressed size is limited', async () => {
    const send = (bytes: Buffer) =>
      harness.call('/api/any', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: new Uint8Array(bytes),
      });
    expect((await send(gzipSync('{"a":1}'))).status).toBe(200);
    expect(await code(await send(gzipSync(Buffer.alloc(50_000_000, 32))))).toBe('payload_too_large');
    expect(await code(await send(Buffer.from('no gzip at all')))).toBe('malformed_json');
  });

  it('of exactly 256 KiB is accepted, and one byte more is refused', async () => {
    const sized = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
    expect((await harness.post('/api/any', sized(262_144))).status).toBe(200);
    const refused = await harness.post('/api/any', sized(262_145));
    expect(refused.status).toBe(413);
    expect(await code(refused)).toBe('payload_too_large');
  });
});

describe('large JSON bodies', () => {
  const LARGE = `[${'{"a":[1,2,3]},'.repeat(16_000)}0]`;

  it('of clients that leave while they wait keep nobody waiting', async () => {
    const head = `POST /api/any HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${LARGE.length}\r\n\r\n`;
    const sockets = Array.from({ length: 10 }, () => {
      const socket = connect(harness.server.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(head + LARGE);
      return socket;
    });
    await until(() => sockets.every(({ bytesWritten }) => bytesWritten > LARGE.length));
    for (const socket of sockets) socket.resetAndDestroy();
    expect((await harness.post('/api/any', LARGE)).status).toBe(200);
  });
});

describe('a raw body', () => {
  it('keeps its bytes with any content type, and may be missing', async () => {
    const bytes = Buffer.from([0, 255, 0xc3, 0x28, 10]);
    const headers = { 'x-signature': 'ts=1', 'content-type': 'application/json' };
    const answer = await harness.call('/api/hook?data.id=7', { method: 'POST', headers, body: bytes });
    expect(await answer.json()).toEqual({ seen: { hex: '00ffc3280a', id: '7', signature: 'ts=1' } });
    const untyped = await harness.call('/api/hook', { method: 'POST', body: bytes });
    expect(await untyped.json()).toEqual({ seen: { hex: '00ffc3280a' } });
    expect(await (await harness.call('/api/hook', { method: 'POST' })).json()).toEqual({ seen: { hex: '' } });
  });
});

describe('an upload', () => {
  const upload = (form: FormData) =>
    harness.call('/api/upload', { method: 'POST', headers: { authorization: 'Bearer good' }, body: form });
  const withFile = (size: number) => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(size).fill(65)]), 'dívidas.csv');
    form.set('note', 'olá');
    return form;
  };

  it('arrives in memory with its fields', async () => {
    const answer = await upload(withFile(500_000));
    expect(await answer.json()).toEqual({ seen: { size: 500_000, first: 65, note: 'olá' } });
    expect(await (await upload(withFile(0))).json()).toMatchObject({ seen: { size: 0 } });
  });

  it('is refused when it is too large, missing, truncated, or no multipart body', async () => {
    expect(await code(await upload(withFile(1_000_001)))).toBe('payload_too_large');
    expect(await code(await upload(withFile(5_000_000)))).toBe('payload_too_large');
    const form = new FormData();
    form.set('file', 'text');
    expect(await (await upload(form)).json()).toMatchObject({ errors: [{ pointer: '/file', code: 'invalid_value' }] });
    expect(await (await upload(new FormData())).json()).toMatchObject({
      errors: [{ pointer: '/file', code: 'required' }],
    });
    const raw = (type: string, body: string) =>
      harness.call('/api/upload', {
        method: 'POST',
        headers: { authorization: 'Bearer good', 'content-type': type },
        body,
      });
    expect(await code(await raw('application/json', '{}'))).toBe('unsupported_media_type');
    expect(await code(await raw('multipart/form-data', 'x'))).toBe('malformed_json');
    expect(
      await code(
        await raw(
          'multipart/form-data; boundary=b',
          '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
        ),
      ),
    ).toBe('malformed_json');
  });

  const raw = (body: string | Uint8Array<ArrayBuffer>, encoding?: string) =>
    harness.call('/api/upload', {
      method: 'POST',
      headers: {
        authorization: 'Bearer good',
        'content-type': 'multipart/form-data; boundary=b',
        ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      },
      body,
    });
  const part = (headers: string, content = 'x') =>
    `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n${headers}\r\n${content}\r\n`;

  it('never ends the process, whatever its parts say', async () => {
    for (const encoding of ['7bit', '8bit', 'binary']) {
      const answer = await raw(`${part(`Content-Transfer-Encoding: ${encoding}\r\n`)}--b--`);
      expect(await answer.json()).toEqual({ seen: { size: 1, first: 120, note: null } });
    }
    for (const text of [
      `${part('Content-Transfer-Encoding: base64\r\n')}--b--`,
      `${part(`X: ${'x'.repeat(20_000)}\r\n`)}--b--`,
      `${part('').repeat(21)}--b--`,
      `${part('')}${part('')}--b--`,
    ]) {
      expect(await code(await raw(text))).toBe('malformed_json');
    }
    expect(await code(await raw(new Uint8Array(gzipSync(`${part('')}--b--`)), 'gzip'))).toBe('unsupported_media_type');
    expect((await harness.call('/health/live')).status).toBe(200);
  });

  it('of line breaks alone is read like any other', async () => {
    const answer = await raw(`${part('', '\r'.repeat(900_000))}--b--`);
    expect(await answer.json()).toEqual({ seen: { size: 900_000, first: 13, note: null } });
  });

  it('counts every byte, also of what is no file', async () => {
    const socket = connect(harness.server.port, '127.0.0.1');
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
    });
    socket.on('error', () => undefined);
    socket.write(
      'POST /api/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const block = `${(64 * 1024).toString(16)}\r\n${'h'.repeat(64 * 1024)}\r\n`;
    for (let sent = 0; sent < 40; sent++) socket.write(block);
    await until(() => text.includes('payload_too_large'));
    socket.destroy();
  });
});

describe('bodies of unknown callers', () => {
  it('have a sum of bytes in memory, for each address and for all', async () => {
    const small = await startHttpHarness({
      config: { trustProxy: 1 },
      limits: { publicBytes: { total: 250_000, each: 150_000 } },
    });
    const open = (from: string, path = '/api/any', type = 'application/json') => {
      const socket = connect(small.server.port, '127.0.0.1');
      const line = { socket, text: '' };
      socket
        .on('error', () => undefined)
        .on('data', (data) => {
          line.text += data.toString();
        });
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\nContent-Type: ${type}\r\nContent-Length: 120000\r\n\r\n${' '.repeat(100_000)}`,
      );
      return line;
    };
    const first = [open('1.1.1.1'), open('1.1.1.1')];
    await until(() => first.some(({ text }) => text.includes('"code":"unavailable"')));
    const second = [open('1.1.1.2', '/api/hook', 'x/y'), open('1.1.1.3', '/api/hook', 'x/y')];
    await until(() => second.some(({ text }) => text.includes('"code":"unavailable"')));
    for (const { socket } of [...first, ...second]) socket.destroy();
    // What the others held is free again.
    const form = 'x'.repeat(140_000);
    let status = 0;
    const free = async () => {
      status = (
        await small.call('/api/hook', { method: 'POST', headers: { 'x-forwarded-for': '1.1.1.1' }, body: form })
      ).status;
    };
    for (let turn = 0; turn < 100 && status !== 200; turn++) await free();
    expect(status).toBe(200);
  });
});

describe('a signed body', () => {
  let checked: number[] = [];
  const signedRoutes = () => [
    defineRoute({
      method: 'POST',
      path: '/api/signed',
      operationId: 'sampleSigned',
      tags: ['Samples'],
      summary: 'A sample',
      errors: [],
      auth: 'none',
      bodyType: 'raw',
      bodyLimit: 3_000_000,
      body: z.instanceof(Buffer),
      signed: ({ headers }) => {
        if (headers['x-signature'] === undefined) throw new AppError('signature_invalid');
      },
      responses: { 200: { description: 'Right' } },
      handler: async ({ body, request }) => {
        checked.push(body.length);
        if (request.headers['x-signature'] !== 'right') throw new AppError('signature_invalid');
        return { status: 200 };
      },
    }),
  ];

  it('is not read before its head may be right', async () => {
    const signed = await startHttpHarness({ routes: signedRoutes() });
    const socket = connect(signed.server.port, '127.0.0.1');
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
    });
    socket.write('POST /api/signed HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n');
    await until(() => text.includes('signature_invalid'));
    expect(checked).toEqual([]);
    socket.destroy();
  });

  it('that is small has no rate, and a large one has one for each address that sends wrong signatures', async () => {
    const signed = await startHttpHarness({
      config: { publicRatePerMinute: 40, trustProxy: 1 },
      routes: signedRoutes(),
    });
    checked = [];
    const send = async (signature: string, bytes: number, from = '1.1.1.1') =>
      (
        await signed.call('/api/signed', {
          method: 'POST',
          headers: { 'x-signature': signature, 'x-forwarded-for': from },
          body: 'x'.repeat(bytes),
        })
      ).status;
    expect(await send('wrong', 2_900_000)).toBe(401);
    expect(await send('wrong', 2_900_000)).toBe(429);
    expect(checked).toEqual([2_900_000]);
    for (let turn = 0; turn < 50; turn++) expect(await send('wrong', 100)).toBe(401);
    expect(await send('wrong', 2_900_000)).toBe(429);
    // Nobody behind the same proxy can keep the channel from being heard.
    for (let turn = 0; turn < 50; turn++) expect(await send('right', 1_000)).toBe(200);
    expect(await send('wrong', 2_900_000, '1.1.1.2')).toBe(401);
  });
});

/** Sends like a simple client: it reads only after everything was written or refused. */
function sendThenRead(head: string, size: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(harness.server.port, '127.0.0.1');
    const chunk = Buffer.alloc(64 * 1024, 32);
    let left = size;
    let text = '';
    const write = () => {
      while (left > 0) {
        left -= chunk.length;
        if (!socket.write(chunk)) {
          socket.once('drain', write);
          return;
        }
      }
      socket.on('data', (data) => {
        text += data.toString();
        if (/\r\n\r\n\{.*\}$/s.test(text)) {
          socket.destroy();
          resolve(text);
        }
      });
    };
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`closed after ${text}`)));
    socket.write(head);
    write();
  });
}

describe('a client that is still sending', () => {
  const head = (path: string, extra: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${extra}\r\n`;
  const SIZE = 32 * 1024 * 1024;

  it.each([
    ['with a length', `Content-Length: ${SIZE}\r\n`],
    ['with a length, and closing', `Content-Length: ${SIZE}\r\nConnection: close\r\n`],
  ])('receives 413 %s', async (_name, extra) => {
    const text = await sendThenRead(head('/api/any', extra), SIZE);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toMatch(/"code":"payload_too_large"/);
  });

  it('receives every other refusal too', async () => {
    const text = await sendThenRead(head('/nowhere', `Content-Length: ${SIZE}\r\nConnection: close\r\n`), SIZE);
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('receives the answer before it has sent everything, and may use the same connection again', async () => {
    const socket = connect(harness.server.port, '127.0.0.1');
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
    });
    socket.write(head('/api/any', 'Content-Length: 400000\r\n') + ' '.repeat(100_000));
    await until(() => text.includes('payload_too_large'));
    socket.write(`${' '.repeat(300_000)}GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n`);
    await until(() => text.includes('{"status":"up"}'));
    socket.destroy();
  });

  it('is disconnected after 64 MiB', async () => {
    const socket = connect(harness.server.port, '127.0.0.1');
    const chunk = Buffer.alloc(1024 * 1024, 32);
    let written = 0;
    let closed = false;
    socket.on('error', () => undefined).on('data', () => undefined);
    socket.once('close', () => {
      closed = true;
    });
    socket.write(head('/api/any', `Content-Length: ${500 * chunk.length}\r\n`));
    const write = () => {
      while (!closed && written < 400) {
        written += 1;
        if (!socket.write(chunk)) {
          socket.once('drain', write);
          return;
        }
      }
    };
    write();
    await until(() => closed);
    expect(written).toBeGreaterThan(60);
    expect(written).toBeLessThan(90);
  });

  it('is disconnected when it neither continues nor ends', async () => {
    const app = new Koa().use(answerWhileClientSends({ bytes: 1_000, ms: 100 })).use((ctx) => {
      ctx.body = 'refused';
    });
    const server = await startServer(app, { host: '127.0.0.1', port: 0 });
    const socket = connect(server.port, '127.0.0.1');
    let text = '';
    let closed = false;
    socket.on('data', (data) => {
      text += data.toString();
    });
    socket.once('close', () => {
      closed = true;
    });
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\nhalf');
    await until(() => text.endsWith('refused'));
    expect(closed).toBe(false);
    await until(() => closed);
    await server.close();
  });

  it('may disconnect during the body without a log line above debug', async () => {
    const before = harness.logLines().length;
    for (const type of ['application/json', 'multipart/form-data; boundary=b']) {
      const path = type.startsWith('multipart') ? '/api/upload' : '/api/any';
      const socket = connect(harness.server.port, '127.0.0.1');
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n--b\r\n`,
      );
      await new Promise((resolve) => setImmediate(resolve));
      socket.destroy();
    }
    await until(
      () =>
        harness
          .logLines()
          .slice(before)
          .filter((line) => line['status'] === 499).length === 2,
    );
    expect(
      harness
        .logLines()
        .slice(before)
        .filter((line) => line['level'] !== 'debug'),
    ).toEqual([]);
    expect((await harness.call('/health/live')).status).toBe(200);
  });
});
