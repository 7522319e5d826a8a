import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import jwt from 'jsonwebtoken';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { logIn, me, refusal, setStatus, signUp } from './accounts.ts';

const SECRET = 'the-secret-that-signs-now';
const app = await opened(startApp({ env: { JWT_SECRET: SECRET } }));

const KEY = '/api/onboarding/me/api-key';
const newKey = async (bearer: string) => {
  const { status, body } = await app.post<{ apiKey: string }>(KEY, undefined, bearer);
  expect(status).toBe(200);
  return body.apiKey;
};
const newSession = async () => {
  const { id, email } = await signUp(app);
  return { id, email, ...(await logIn(app, email)) };
};

describe('an API key', () => {
  it('has 256 random bits after its prefix, works like a token, and only its hash is stored', async () => {
    const { id, token } = await newSession();
    const key = await newKey(token);
    expect(key).toMatch(/^service_key_[\w-]{43}$/);
    expect((await me(app, key)).body.id).toBe(id);
    const rows = await app.query('select row_to_json(api_keys)::text as row from api_keys');
    expect(JSON.stringify(rows)).not.toContain(key.slice('service_key_'.length));
  });

  it('is revoked by the next one, by DELETE, and not by logout', async () => {
    const { token } = await newSession();
    const first = await newKey(token);
    const second = await newKey(token);
    expect(refusal(await me(app, first))).toBe('401 token_invalid');
    expect((await me(app, second)).status).toBe(200);
    const { email } = await signUp(app);
    const session = await logIn(app, email);
    const third = await newKey(session.token);
    await app.post('/api/auth/logout', undefined, session.token);
    expect((await me(app, third)).status).toBe(200);
    for (let i = 0; i < 2; i += 1) expect((await app.call('DELETE', KEY, { bearer: token })).status).toBe(204);
    expect(refusal(await me(app, second))).toBe('401 token_invalid');
  });

  it('is the only valid one of several that are created concurrently', async () => {
    const { token } = await newSession();
    const keys = await Promise.all(Array.from({ length: 10 }, () => newKey(token)));
    const alive = await Promise.all(keys.map(async (key) => (await me(app, key)).status));
    expect(alive.sort()).toEqual([200, ...Array<number>(9).fill(401)]);
  });

  it.each([
    ['POST', KEY],
    ['DELETE', KEY],
    ['POST', '/api/auth/logout'],
  ])('is refused at %s %s: 401 access_token_required', async (method, path) => {
    const key = await newKey((await newSession()).token);
    expect(refusal(await app.call(method, path, { bearer: key }))).toBe('401 access_token_required');
  });
});

describe('401', () => {
  const ours = (claims: object, options: jwt.SignOptions = {}, secret = SECRET, keyid = keyId) =>
    jwt.sign(claims, secret, { algorithm: 'HS256', keyid, issuer: 'quita', audience: 'quita-api', ...options });
  let session: Awaited<ReturnType<typeof newSession>>;
  let sid: string;
  let keyId: string;
  beforeAll(async () => {
    session = await newSession();
    const decoded = jwt.decode(session.token, { complete: true })!;
    keyId = decoded.header.kid!;
    sid = (decoded.payload as jwt.JwtPayload)['sid'] as string;
  });
  const bad = async (bearer: string) => refusal(await me(app, bearer));

  it('unauthenticated without a bearer', async () => {
    for (const authorization of [undefined, '', 'Bearer', 'Bearer ', 'Basic YTpi', 'Token x', 'Bearer a b']) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const answer = await app.call('GET', '/api/onboarding/me', { headers });
      expect(refusal(answer)).toBe('401 unauthenticated');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('accepts tokens of the helper of these tests', async () => {
    expect((await me(app, ours({ sid }, { subject: session.id, expiresIn: 60 }))).status).toBe(200);
  });

  it('token_expired', async () => {
    expect(await bad(ours({ sid }, { subject: session.id, expiresIn: -1 }))).toBe('401 token_expired');
    const short = await startApp({ env: { JWT_SECRET: SECRET, ACCESS_TOKEN_TTL: '1s' }, database: app.database });
    try {
      const { token } = await logIn(short, session.email);
      const { exp = 0 } = jwt.decode(token) as jwt.JwtPayload;
      await new Promise((resolve) => setTimeout(resolve, exp * 1_000 - Date.now() + 5));
      const answer = await me(short, token);
      expect(refusal(answer)).toBe('401 token_expired');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    } finally {
      await short.close();
    }
  });

  it('token_invalid for any token that the service did not sign unchanged', async () => {
    const [header, payload, signature] = session.token.split('.') as [string, string, string];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const exp = { subject: session.id, expiresIn: 60 };
    const alg = (name: string) => encode({ alg: name, typ: 'JWT', kid: keyId });
    const signed = (head: string, hash: string) =>
      `${head}.${payload}.${createHmac(hash, SECRET).update(`${head}.${payload}`).digest('base64url')}`;
    const all = {
      text: 'x',
      dots: 'a.b.c',
      'another key': 'service_key_AAAA',
      'other signature': `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      'no signature': `${header}.${payload}.`,
      'other client': `${header}.${encode({ ...claims, sub: randomUUID() })}.${signature}`,
      none: `${alg('none')}.${payload}.`,
      HS512: signed(alg('HS512'), 'sha512'),
      'other secret': ours({ sid }, exp, 'another'),
      'unknown key id': ours({ sid }, exp, SECRET, 'unknown'),
      'other issuer': ours({ sid }, { ...exp, issuer: 'https://elsewhere.example' }),
      'other audience': ours({ sid }, { ...exp, audience: 'elsewhere' }),
      'no expiry': ours({ sid }, { subject: session.id }),
      'not yet valid': ours({ sid }, { ...exp, notBefore: 30 }),
      'no session': ours({}, exp),
      'unknown session': ours({ sid: randomUUID() }, exp),
      'session that is no id': ours({ sid: "' or true" }, exp),
      'session of another client': ours({ sid }, { ...exp, subject: (await newSession()).id }),
    };
    for (const [what, bearer] of Object.entries(all))
      expect([what, await bad(bearer)]).toEqual([what, '401 token_invalid']);
  });
});

describe('403', () => {
  it.each(['PAUSED', 'CANCELLED'])('for every credential of a %s client, from the next request on', async (status) => {
    const { id, token } = await newSession();
    const key = await newKey(token);
    await setStatus(app, id, status);
    for (const bearer of [token, key]) expect(refusal(await me(app, bearer))).toBe('403 account_inactive');
    await setStatus(app, id, 'ACTIVE');
    for (const bearer of [token, key]) expect((await me(app, bearer)).status).toBe(200);
  });
});

describe('a rotated secret', () => {
  it('signs no longer, and verifies only while it is in the list', async () => {
    const { id, email, token } = await newSession();
    const rotated = await startApp({ env: { JWT_SECRET: `a-new-one,${SECRET}` }, database: app.database });
    const after = await startApp({ env: { JWT_SECRET: 'a-new-one' }, database: app.database });
    try {
      expect((await me(rotated, token)).body.id).toBe(id);
      expect(refusal(await me(after, token))).toBe('401 token_invalid');
      const fresh = (await logIn(rotated, email)).token;
      expect((await me(after, fresh)).body.id).toBe(id);
      expect(refusal(await me(app, fresh))).toBe('401 token_invalid');
    } finally {
      await after.close();
      await rotated.close();
    }
  });
});

describe('concurrent bearers', () => {
  it('are each resolved to their own client, and unknown ones to none', async () => {
    const sessions = await Promise.all(Array.from({ length: 6 }, newSession));
    const keys = await Promise.all(sessions.map(({ token }) => newKey(token)));
    const revoked = await newKey(sessions[0]!.token);
    keys[0] = await newKey(sessions[0]!.token);
    const ended = await newSession();
    await app.post('/api/auth/logout', undefined, ended.token);
    const paused = await newSession();
    await setStatus(app, paused.id, 'CANCELLED');
    const good = sessions.flatMap(({ id, token }, index) => [token, keys[index]!].map((bearer) => ({ id, bearer })));
    const bad = [revoked, ended.token, `service_key_${'A'.repeat(43)}`].map((bearer) => ({
      id: 'token_invalid',
      bearer,
    }));
    const calls = [...good, ...bad, { id: 'account_inactive', bearer: paused.token }];
    const asked = Array.from({ length: 10 }, () => calls).flat();
    const heard = await Promise.all(asked.map(({ bearer }) => me(app, bearer)));
    expect(heard.map(({ body }) => body.code ?? body.id)).toEqual(asked.map(({ id }) => id));
  });
});
