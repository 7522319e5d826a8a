import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createHttpWebhookSender,
  type HttpWebhookSenderOptions,
  type ResolvedAddress,
} from '../../src/modules/events/adapters/webhooks/http/http-webhook-sender.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const post = (path = '/hook', options: Partial<HttpWebhookSenderOptions> = {}, base = receiver.url) =>
  createHttpWebhookSender({ allowLoopback: true, timeoutMs: 5_000, ...options }).post({
    url: `${base}${path}`,
    headers: { 'Content-Type': 'application/json', 'webhook-id': 'e1' },
    body: '{"a":"ção"}',
  });

const at = (address: string): readonly ResolvedAddress[] => [{ address, family: address.includes(':') ? 6 : 4 }];
const port = (): string => new URL(receiver.url).port;

describe('a post', () => {
  it('sends the body and the headers, and any 2xx counts', async () => {
    for (const status of [200, 201, 204, 299]) {
      receiver.answerWith((response) => void response.writeHead(status).end());
      expect(await post('/a?b=c')).toEqual({ failure: null, status, retryAfterSeconds: null, response: null });
    }
    const [first] = receiver.received;
    expect(first).toMatchObject({ path: '/a?b=c', body: { a: 'ção' }, headers: { 'webhook-id': 'e1' } });
  });

  it('follows no redirect', async () => {
    receiver.answerWith((response) => void response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end());
    expect(await post()).toMatchObject({ failure: 'redirected', status: 307 });
    expect(receiver.received).toHaveLength(1);
  });

  it('gives up when the receiver does not answer', async () => {
    receiver.answerWith(() => undefined);
    expect(await post('/hook', { timeoutMs: 300 })).toEqual({
      failure: 'timeout',
      status: null,
      retryAfterSeconds: null,
      response: null,
    });
  });

  it('counts the status although the body never ends', async () => {
    receiver.answerWith((response) => void response.writeHead(200).write('begun'));
    expect(await post('/hook', { timeoutMs: 300 })).toMatchObject({ failure: null, status: 200, response: 'begun' });
  });

  it('reads no more than the beginning of a huge body', async () => {
    let written = 0;
    receiver.answerWith((response) => {
      response.writeHead(500);
      const more = (): void => {
        written += 65_536;
        if (!response.destroyed && response.write('x'.repeat(65_536))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    });
    const answer = await post();
    expect(answer).toMatchObject({ failure: 'status', status: 500 });
    expect(answer.response).toHaveLength(1_024);
    expect(written).toBeLessThan(20 * 1_024 * 1_024);
  });

  it.each([
    [429, '120', 120],
    [503, '0', 0],
    [503, 'soon', null],
    [500, '120', null],
    [429, '999999999', 86_400],
  ])('reads of %d with Retry-After %p: %p', async (status, header, seconds) => {
    receiver.answerWith((response) => void response.writeHead(status, { 'retry-after': header }).end());
    expect((await post()).retryAfterSeconds).toBe(seconds);
  });

  it('reads a date in Retry-After', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    receiver.answerWith((response) => void response.writeHead(503, { 'retry-after': date }).end());
    const { retryAfterSeconds } = await post();
    expect(retryAfterSeconds).toBeGreaterThan(50);
    expect(retryAfterSeconds).toBeLessThanOrEqual(61);
  });

  it('says that nobody listens, that a name is unknown, and that TLS failed', async () => {
    const url = receiver.url;
    const unknown = async () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));
    expect(await post('/', { resolve: unknown }, 'https://receiver.example')).toMatchObject({
      failure: 'name_not_resolved',
    });
    expect(await post('/', {}, url.replace('http:', 'https:'))).toMatchObject({ failure: 'tls_failed' });
    await receiver.stop();
    expect(await post('/', {}, url)).toMatchObject({ failure: 'connection_failed' });
    receiver = await startReceiver();
  });
});

describe('the guard', () => {
  it.each(['http://10.0.0.1/', 'http://example.com/', 'https://[::ffff:10.0.0.1]/', 'https://a:b@example.com/'])(
    'posts nothing to %s, however it was stored',
    async (url) => expect(await post('', {}, url)).toMatchObject({ failure: 'url_invalid', status: null }),
  );

  it.each(['10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', 'fe80::1', '127.0.0.1'])(
    'connects to no name that leads to %s',
    async (address) => {
      const options = { allowLoopback: false, resolve: async () => at(address) };
      expect(await post('/', options, `https://receiver.example:${port()}`)).toMatchObject({
        failure: 'address_refused',
      });
      expect(await createHttpWebhookSender(options).check('https://receiver.example/')).toMatch(/private/);
    },
  );

  it('refuses a name with one private address among public ones', async () => {
    const options = { allowLoopback: false, resolve: async () => [...at('8.8.8.8'), ...at('10.0.0.1')] };
    expect(await post('/', options, 'https://receiver.example')).toMatchObject({ failure: 'address_refused' });
  });

  it('checks the address that it connects to, so that a name which leads elsewhere a moment later gains nothing', async () => {
    const answers = [at('8.8.8.8'), at('127.0.0.1')];
    const sender = createHttpWebhookSender({
      allowLoopback: false,
      timeoutMs: 2_000,
      resolve: async () => answers.shift() ?? at('127.0.0.1'),
    });
    const url = `https://receiver.example:${port()}/`;
    expect(await sender.check(url)).toBeNull();
    expect(await sender.post({ url, headers: {}, body: '{}' })).toMatchObject({ failure: 'address_refused' });
    expect(receiver.received).toEqual([]);
  });

  it('asks for the name once for each connection, and connects to the address that it got', async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return at('127.0.0.1');
    };
    expect(await post('/', { resolve }, `http://localhost:${port()}`)).toMatchObject({ failure: null });
    expect(asked).toBe(1);
  });

  it('accepts a name that cannot be resolved now, because it is checked again at each post', async () => {
    const resolve = async () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));
    expect(await createHttpWebhookSender({ allowLoopback: false, resolve }).check('https://new.example/')).toBeNull();
  });
});
