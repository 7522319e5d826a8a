import { describe, expect, it } from '@jest/globals';
import { CLIENT, startHttpHarness } from '../../../testing/http-harness.ts';
import { opened } from '../../../testing/opened.ts';

const ID = '22222222-2222-4222-8222-222222222222';
const AUTH = { authorization: 'Bearer good' };
const GOOD = { name: ' Acme ', email: 'a@acme.com.br', password: 'Secret12' };

const harness = await opened(startHttpHarness());

async function problem(answer: Response) {
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  const body = (await answer.json()) as Record<string, unknown>;
  expect(body).toMatchObject({
    type: `https://quita.example/problems/${String(body['code'])}`,
    title: expect.any(String),
    status: answer.status,
    detail: expect.any(String),
    requestId: answer.headers.get('x-request-id'),
  });
  return body;
}

describe('a valid request', () => {
  it('reaches the handler parsed, and its answer contains only the declared members', async () => {
    const answer = await harness.post(`/api/companies/${ID}?force=true&take=7&other=1`, { ...GOOD, extra: 1 }, AUTH);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toEqual({
      id: ID,
      seen: { query: { force: true, take: 7 }, body: { ...GOOD, name: 'Acme' }, client: CLIENT },
    });
  });

  it('may be answered without a body, or with a file and headers of its own', async () => {
    const nothing = await harness.call('/api/nothing', { method: 'DELETE' });
    expect([nothing.status, await nothing.text(), nothing.headers.get('content-type')]).toEqual([204, '', null]);
    const file = await harness.call('/api/file');
    expect(await file.text()).toBe('%PDF');
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(file.headers.get('cache-control')).toBe('private');
  });

  it('matches fixed paths before paths with a parameter', async () => {
    expect(await (await harness.call('/api/companies/latest')).json()).toEqual({ seen: 'latest' });
  });

  it('gives a fixed path no method of a path with a parameter', async () => {
    const answer = await harness.post('/api/companies/latest', GOOD, AUTH);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'HEAD, GET, OPTIONS']);
    const options = await harness.call('/api/companies/latest/', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'HEAD, GET, OPTIONS']);
  });
});

describe('the order of refusal', () => {
  it('is route, rate, caller, account, body, resource', async () => {
    const small = await startHttpHarness({ config: { signupRatePerMinute: 1 } });
    const text = { 'content-type': 'text/plain' };
    expect((await problem(await harness.post('/api/company', 'x', text)))['code']).toBe('not_found');
    expect((await problem(await harness.call('/api/signup', { method: 'PUT', body: 'x' })))['code']).toBe(
      'method_not_allowed',
    );
    await small.post('/api/signup', GOOD);
    expect((await problem(await small.post('/api/signup', 'x', text)))['code']).toBe('rate_limited');
    expect((await problem(await harness.post('/api/companies/bad?take=0', 'x', text)))['code']).toBe('unauthenticated');
    const paused = { authorization: 'Bearer paused' };
    expect((await problem(await harness.post('/api/companies/bad', 'x', { ...text, ...paused })))['code']).toBe(
      'account_inactive',
    );
    expect((await problem(await harness.post('/api/companies/bad', 'x', { ...text, ...AUTH })))['code']).toBe(
      'unsupported_media_type',
    );
    expect((await problem(await harness.post('/api/companies/bad', 'x'.repeat(300_000), AUTH)))['code']).toBe(
      'payload_too_large',
    );
    expect((await problem(await harness.post('/api/companies/bad', '{', AUTH)))['code']).toBe('malformed_json');
    expect((await problem(await harness.post('/api/companies/bad', {}, AUTH)))['code']).toBe('validation_failed');
    expect((await problem(await harness.post('/api/companies/bad', GOOD, AUTH)))['code']).toBe('not_found');
    expect((await problem(await harness.post('/api/companies/%00', GOOD, AUTH)))['code']).toBe('not_found');
  });

  it('begins with the body for the login', async () => {
    expect((await problem(await harness.post('/api/login', '{')))['code']).toBe('malformed_json');
    const locked = await harness.post('/api/login', { email: 'a' });
    expect(locked.headers.get('retry-after')).toBe('900');
    expect(await problem(locked)).toMatchObject({ code: 'account_locked', status: 423, retryAfterSeconds: 900 });
  });
});

describe('the caller', () => {
  const read = async (authorization?: string) =>
    harness.call(`/api/companies/${ID}`, authorization === undefined ? {} : { headers: { authorization } });

  it.each([
    [undefined, 'unauthenticated', 'Bearer'],
    ['Bearer bad', 'token_invalid', 'Bearer'],
    ['Bearer old', 'token_expired', 'Bearer'],
    ['Bearer service_key_1', 'access_token_required', 'Bearer'],
  ])('%s is refused with %s', async (authorization, code, challenge) => {
    const answer = await read(authorization);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
    expect((await problem(answer))['code']).toBe(code);
  });

  it('is asked for a bearer only where one is expected', async () => {
    const answer = await harness.call('/api/broken/signature');
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, null]);
  });

  it('is in the log lines of the request, with the request id', async () => {
    const answer = await read('Bearer good');
    const requestId = answer.headers.get('x-request-id');
    const line = harness.logLines().find((one) => one['requestId'] === requestId);
    expect(line).toMatchObject({ clientId: CLIENT, route: '/api/companies/:id', status: 200, method: 'GET' });
  });
});

describe('wrong input', () => {
  it('is reported all at once, with pointers into the body and the names of parameters', async () => {
    const body = { email: 'x', password: 'weak', name: ' ', 'odd/na~me': [{ n: 1 }, { n: 1.5 }, {}] };
    const { errors } = await problem(await harness.post(`/api/companies/${ID}?force=yes&take=0x10`, body, AUTH));
    expect(errors).toEqual([
      { parameter: 'force', code: 'invalid_value', message: expect.any(String) },
      { parameter: 'take', code: 'invalid_type', message: expect.any(String) },
      { pointer: '/name', code: 'too_short', message: expect.any(String) },
      { pointer: '/email', code: 'invalid_format', message: expect.any(String) },
      { pointer: '/password', code: 'password_weak', message: 'Weak' },
      { pointer: '/odd~1na~0me/1/n', code: 'invalid_type', message: expect.any(String) },
      { pointer: '/odd~1na~0me/2/n', code: 'required', message: expect.any(String) },
    ]);
  });

  it.each([
    ['{}', ['/name required', '/email required', '/password required']],
    ['null', [' invalid_type']],
    ['"text"', [' invalid_type']],
    ['[]', [' invalid_type']],
    ['{"name":"a\\u0000b","email":"a@acme.com","password":"A"}', ['/name invalid_value']],
  ])('%s has the problems %j', async (body, expected) => {
    const { errors } = await problem(await harness.post('/api/signup', body));
    expect((errors as { pointer: string; code: string }[]).map((one) => `${one.pointer} ${one.code}`)).toEqual(
      expected,
    );
  });

  it('includes a query parameter that is repeated, out of range, or contains U+0000', async () => {
    const codes = async (query: string) => {
      const { errors } = await problem(await harness.post(`/api/companies/${ID}?${query}`, GOOD, AUTH));
      return (errors as { parameter: string; code: string }[]).map((one) => `${one.parameter} ${one.code}`);
    };
    expect(await codes('take=1&take=2')).toEqual(['take invalid_type']);
    expect(await codes('take=101')).toEqual(['take too_big']);
    expect(await codes('take=')).toEqual(['take invalid_type']);
    expect(await codes('other=%00')).toEqual(['other invalid_value']);
  });
});

describe('an answer against its declaration', () => {
  it('fails outside production, and its content is not sent', async () => {
    for (const how of ['status', 'shape']) {
      const answer = await harness.call(`/api/broken/${how}`);
      expect(await problem(answer)).toMatchObject({ status: 500, code: 'internal_error' });
    }
    expect(harness.logText()).toMatch(/status is not declared/);
    expect(harness.logText()).toMatch(/answer does not match its schema/);
  });

  it('is logged in production, and sent', async () => {
    const production = await startHttpHarness({ config: { production: true } });
    expect((await production.call('/api/broken/status')).status).toBe(418);
    expect(await (await production.call('/api/broken/shape')).json()).toEqual({ n: 'no number' });
    expect(production.logText()).toMatch(/answer does not match its schema/);
  });
});

describe('internal failures', () => {
  it('disclose nothing to the caller and are logged without personal data', async () => {
    const answer = await harness.call('/api/broken/throws');
    const body = JSON.stringify(await problem(answer));
    expect(answer.status).toBe(500);
    expect(body).not.toMatch(/insert|529|maria|stack/);
    const line = harness.logLines().find((one) => one['msg'] === 'request failed' && one['code'] === 'internal_error');
    expect(line).toMatchObject({ requestId: expect.any(String) });
    expect(harness.logText()).toMatch(/insert into debts/);
    expect(harness.logText()).not.toMatch(/529\.982|maria@/);
  });

  it('of the database are 503 with Retry-After', async () => {
    const answer = await harness.call('/api/broken/database');
    expect(answer.headers.get('retry-after')).toBe('5');
    expect((await problem(answer))['code']).toBe('unavailable');
  });
});

describe('addresses and methods', () => {
  it('unknown ones are 404', async () => {
    for (const path of ['/', '/api', '/API/any', '/%E0%A4%A', '/api/%', '//', '/..%2f..%2fetc/passwd']) {
      expect([path, (await problem(await harness.call(path)))['code']]).toEqual([path, 'not_found']);
    }
  });

  it('a known address lists its methods', async () => {
    const answer = await harness.call('/api/companies/latest', { method: 'PATCH' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('HEAD, GET, OPTIONS');
    expect((await problem(answer))['code']).toBe('method_not_allowed');
    const options = await harness.call('/api/any', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    expect((await harness.call('/nowhere', { method: 'OPTIONS' })).status).toBe(404);
  });

  it('HEAD answers like GET without the body', async () => {
    const answer = await harness.call('/api/file', { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '4', '']);
    const refused = await harness.call(`/api/companies/${ID}`, { method: 'HEAD' });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([401, 'application/problem+json']);
  });
});
