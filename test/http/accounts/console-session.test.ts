import { describe, expect, it } from '@jest/globals';
import { hashToken } from '../../../src/modules/accounts/use-cases/opaque-token.ts';
import { purgeExpired } from '../../../src/modules/privacy/use-cases/purge-expired.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { logIn, me, newEmail, PASSWORD, refusal, setStatus, signUp, tryLogIn } from './accounts.ts';
import { cookiesOf, fromPage, openConsole, renew } from './browser-sessions.ts';

const app = await opened(startApp());
const secure = await opened(startApp({ database: app.database, env: { PUBLIC_URL: 'https://quita.example' } }));

const WRONG = 'Errada2026';
const newConsole = async (remember?: boolean) => {
  const { id, email } = await signUp(app);
  return { id, email, ...(await openConsole(app, email, remember)) };
};
const tokenIn = (cookie: string): string => cookie.slice(cookie.indexOf('=') + 1);
const CLEARED = ['quita_session=', 'Max-Age=0', 'Path=/api/session', 'HttpOnly', 'SameSite=Strict'];

interface Moments {
  readonly idle: number;
  readonly longest: number;
}
/** Hours until the session of the cookie expires. */
const hoursLeft = async (cookie: string): Promise<Moments> => {
  const hours = (column: string) => `extract(epoch from ${column} - now())::float8 / 3600`;
  const [row] = await app.query<Moments>(
    `select ${hours('expires_at')} as idle, ${hours('longest_until')} as longest from sessions where cookie_hash = $1`,
    [hashToken(tokenIn(cookie))],
  );
  return row!;
};
/** Moves the moments of the session, as if this time had passed. */
const pass = (cookie: string, time: string) =>
  app.query(
    `update sessions set expires_at = expires_at - $2::interval, longest_until = longest_until - $2::interval,
       created_at = created_at - $2::interval, last_used_at = last_used_at - $2::interval where cookie_hash = $1`,
    [hashToken(tokenIn(cookie)), time],
  );

describe('POST /api/session', () => {
  it('answers a token, its end and the client, and no refresh token', async () => {
    const { id, email } = await signUp(app);
    const answer = await fromPage(app, 'POST', '/api/session', { body: { email, password: PASSWORD } });
    expect([answer.status, Object.keys(answer.body).sort()]).toEqual([200, ['client', 'expiresAt', 'member', 'token']]);
    expect(answer.body.client).toMatchObject({ id, email, status: 'ACTIVE' });
    expect((Date.parse(answer.body.expiresAt) - Date.now()) / 60_000).toBeCloseTo(15, 0);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await me(app, answer.body.token)).status).toBe(200);
  });

  it('sets a cookie for these routes that scripts and other sites cannot use, until the browser is closed', async () => {
    const { headers, cookie } = await newConsole();
    expect(cookie).toMatch(/^quita_session=[\w-]{43}$/);
    expect(cookiesOf(headers)['quita_session']).toEqual([cookie, 'Path=/api/session', 'HttpOnly', 'SameSite=Strict']);
    const { idle, longest } = await hoursLeft(cookie);
    expect([idle, longest].map((hours) => hours.toFixed(1))).toEqual(['12.0', '24.0']);
  });

  it('with remember the browser keeps it for 30 days', async () => {
    const { headers, cookie } = await newConsole(true);
    expect(cookiesOf(headers)['quita_session']).toContain('Max-Age=2592000');
    const { idle, longest } = await hoursLeft(cookie);
    expect([idle / 24, longest / 24].map((days) => days.toFixed(1))).toEqual(['7.0', '30.0']);
  });

  it('behind https the cookie is Secure by its name and its attribute', async () => {
    const { email } = await signUp(app);
    const { headers, cookie } = await openConsole(secure, email);
    expect(cookiesOf(headers)['__Secure-quita_session']).toEqual([
      cookie,
      'Path=/api/session',
      'HttpOnly',
      'SameSite=Strict',
      'Secure',
    ]);
    expect((await renew(secure, cookie)).status).toBe(200);
    expect(refusal(await renew(secure, cookie.replace('__Secure-', '')))).toBe('401 unauthenticated');
    expect(cookiesOf((await renew(secure, undefined)).headers)['__Secure-quita_session']).toContain('Secure');
  });

  it('sets another value at each login, ends the session of the earlier one, and stores and logs none', async () => {
    const { email, cookie, token } = await newConsole();
    const again = await fromPage(app, 'POST', '/api/session', { cookie, body: { email, password: PASSWORD } });
    const other = cookiesOf(again.headers)['quita_session']![0]!;
    expect(other).not.toBe(cookie);
    // The browser has forgotten the earlier cookie.
    expect(refusal(await renew(app, cookie))).toBe('401 unauthenticated');
    expect((await renew(app, other)).status).toBe(200);
    const rows = JSON.stringify(await app.query('select row_to_json(t)::text as row from sessions t'));
    for (const secret of [tokenIn(cookie), tokenIn(other), token]) {
      expect(rows).not.toContain(secret);
      expect(app.logText()).not.toContain(secret);
    }
  });

  it.each([
    [{}, '400 validation_failed /email:required /password:required'],
    [{ email: 'ana@gmail.com', password: PASSWORD }, '400 validation_failed /email:email_not_corporate'],
    [{ email: newEmail(), password: WRONG }, '401 invalid_credentials'],
    [{ email: newEmail(), password: WRONG, remember: 'yes' }, '400 validation_failed /remember:invalid_type'],
  ])('refuses %j: %s', async (body, expected) => {
    const answer = await fromPage(app, 'POST', '/api/session', { body });
    expect(refusal(answer)).toBe(expected);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('refuses a body that is not JSON', async () => {
    const form = { body: 'email=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect(refusal(await fromPage(app, 'POST', '/api/session', form))).toBe('415 unsupported_media_type');
    expect((await fromPage(app, 'POST', '/api/session')).status).toBe(400);
  });

  it('shares the lockout with the login of programs, and counts a browser that logged in before separately', async () => {
    const { email } = await signUp(app);
    const attempt = (path: string, password: string, cookie?: string) =>
      fromPage(app, 'POST', path, { cookie, body: { email, password } }).then(({ status }) => status);
    const entered = await openConsole(app, email);
    const device = cookiesOf(entered.headers)['quita_device']!;
    expect(device.slice(1)).toEqual(['Max-Age=2592000', 'Path=/api/session', 'HttpOnly', 'SameSite=Strict']);
    const paths = ['/api/session', '/api/auth/login', '/api/session', '/api/auth/login', '/api/session'];
    const seen: number[] = [];
    for (const path of paths) seen.push(await attempt(path, WRONG));
    expect(seen).toEqual([401, 401, 401, 401, 401]);
    expect(await attempt('/api/session', PASSWORD)).toBe(423);
    expect(await attempt('/api/auth/login', PASSWORD)).toBe(423);
    expect(await attempt('/api/session', PASSWORD, device[0])).toBe(200);
  });

  it('shares the rate of the login of programs', async () => {
    const slow = await startApp({ database: app.database, env: { LOGIN_RATE_PER_MINUTE: '3', TRUST_PROXY: '1' } });
    try {
      const headers = { 'x-forwarded-for': '203.0.113.77' };
      const seen: number[] = [];
      for (const path of ['/api/session', '/api/auth/login', '/api/session', '/api/session', '/api/auth/login']) {
        const body = { email: newEmail(), password: WRONG };
        seen.push((await fromPage(slow, 'POST', path, { body, headers })).status);
      }
      expect(seen).toEqual([401, 401, 401, 429, 429]);
    } finally {
      await slow.close();
    }
  });
});

describe('the cookie', () => {
  it('gives a token at each call and stays the same, also when many tabs call at once and no answer arrives', async () => {
    const { cookie, token } = await newConsole();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        renew(i % 2 === 0 ? app : secure, i % 2 === 0 ? cookie : `__Secure-${cookie}`),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
    expect(new Set(answers.map(({ body }) => body.token)).size).toBe(20);

    const lost = new AbortController();
    const gone = fetch(`${app.url}/api/session/token`, {
      method: 'POST',
      headers: { cookie, origin: app.url },
      signal: lost.signal,
    }).catch(() => undefined);
    setTimeout(() => lost.abort(), 1);
    await gone;
    expect((await renew(app, cookie)).status).toBe(200);
    expect((await me(app, token)).status).toBe(200);
    expect((await me(secure, answers[0]!.body.token)).status).toBe(200);
  });

  it('is refused and cleared when its name comes twice: another host of the domain may have set one of them', async () => {
    const { cookie } = await newConsole();
    const other = await newConsole();
    for (const both of [`${other.cookie}; ${cookie}`, `${cookie}; ${other.cookie}`, `quita_session=; ${cookie}`]) {
      for (const [method, path] of [
        ['POST', '/api/session/token'],
        ['POST', '/api/session/end-all'],
        ['DELETE', '/api/session'],
      ] as const) {
        const answer = await fromPage(app, method, path, { cookie: both });
        expect(refusal(answer)).toBe('401 unauthenticated');
        expect(cookiesOf(answer.headers)['quita_session']).toEqual(CLEARED);
      }
    }
    expect((await renew(app, cookie)).status).toBe(200);
    const twice = `__Secure-${other.cookie}; __Secure-${cookie}`;
    const cleared = (await fromPage(secure, 'POST', '/api/session/token', { cookie: twice })).headers.getSetCookie();
    expect(cleared).toContainEqual(expect.stringMatching(/Max-Age=0; Path=\/api\/session\/token; Domain=/));
  });

  it('expires without use after 12 hours, and each use begins that time again', async () => {
    const { cookie } = await newConsole();
    await pass(cookie, '11 hours 59 minutes');
    expect((await renew(app, cookie)).status).toBe(200);
    expect((await hoursLeft(cookie)).idle).toBeCloseTo(12, 1);
    await pass(cookie, '12 hours 1 second');
    const refused = await renew(app, cookie);
    expect(refusal(refused)).toBe('401 unauthenticated');
    expect(cookiesOf(refused.headers)['quita_session']).toEqual(CLEARED);
    expect(refused.headers.get('www-authenticate')).toBeNull();
  });

  it('expires after 24 hours however much it is used, and no token outlives it', async () => {
    const { cookie } = await newConsole();
    for (const time of ['11 hours', '11 hours']) {
      await pass(cookie, time);
      await renew(app, cookie);
    }
    await pass(cookie, '1 hour 55 minutes');
    const last = await renew(app, cookie);
    expect((Date.parse(last.body.expiresAt) - Date.now()) / 60_000).toBeCloseTo(5, 0);
    expect((await hoursLeft(cookie)).idle).toBeLessThan(0.1);
    await pass(cookie, '6 minutes');
    expect(refusal(await renew(app, cookie))).toBe('401 unauthenticated');
  });

  it('with remember it expires after 7 days without use, and after 30 days', async () => {
    const idle = await newConsole(true);
    await pass(idle.cookie, '6 days 23 hours');
    expect((await renew(app, idle.cookie)).status).toBe(200);
    await pass(idle.cookie, '7 days 1 second');
    expect((await renew(app, idle.cookie)).status).toBe(401);
    const busy = await newConsole(true);
    for (let week = 0; week < 4; week += 1) {
      await pass(busy.cookie, '6 days 23 hours');
      expect((await renew(app, busy.cookie)).status).toBe(200);
    }
    await pass(busy.cookie, '2 days 5 hours');
    expect((await renew(app, busy.cookie)).status).toBe(401);
  });

  it('is no bearer and no refresh token, and a refresh token is no cookie', async () => {
    const { email, cookie } = await newConsole();
    const { refreshToken, token } = await logIn(app, email);
    const refreshed = await app.post('/api/auth/refresh', { refreshToken: tokenIn(cookie) });
    expect(refusal(refreshed)).toBe('401 refresh_token_invalid');
    expect(refusal(await me(app, tokenIn(cookie)))).toBe('401 token_invalid');
    const withCookie = await fromPage(app, 'GET', '/api/onboarding/me', { cookie });
    expect(refusal(withCookie)).toBe('401 unauthenticated');
    for (const value of [refreshToken, token, '', 'x'.repeat(5_000)]) {
      expect(refusal(await renew(app, `quita_session=${value}`))).toBe('401 unauthenticated');
    }
    expect((await app.post('/api/auth/refresh', { refreshToken })).status).toBe(200);
    expect((await renew(app, cookie)).status).toBe(200);
  });

  it('is refused with 403 while the client is paused, and works again when it is resumed', async () => {
    const { id, cookie, token } = await newConsole();
    await setStatus(app, id, 'PAUSED');
    const refused = await renew(app, cookie);
    expect(refusal(refused)).toBe('403 account_inactive');
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(refusal(await me(app, token))).toBe('403 account_inactive');
    expect(refusal(await fromPage(app, 'POST', '/api/session/end-all', { cookie }))).toBe('403 account_inactive');
    await setStatus(app, id, 'ACTIVE');
    expect((await renew(app, cookie)).status).toBe(200);
  });
});

describe('pages of other sites', () => {
  it.each([
    ['POST', '/api/session'],
    ['POST', '/api/session/token'],
    ['DELETE', '/api/session'],
    ['POST', '/api/session/end-all'],
  ])('are refused by %s %s', async (method, path) => {
    const { email, cookie } = await newConsole();
    const body = method === 'POST' && path === '/api/session' ? { email, password: PASSWORD } : undefined;
    const from = (origin: string | null, headers = {}) =>
      fromPage(app, method, path, { cookie, body, origin, headers });
    for (const answer of [
      await from('https://evil.example'),
      await from('null'),
      await from(null, { 'sec-fetch-site': 'cross-site' }),
      await from(null, { 'sec-fetch-site': 'same-site' }),
    ]) {
      expect(refusal(answer)).toBe('403 origin_refused');
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect((await renew(app, cookie)).status).toBe(200);
    expect((await from(null, { 'sec-fetch-site': 'same-origin' })).status).toBeLessThan(300);
  });

  it('are told from programs, which send neither header', async () => {
    const { cookie } = await newConsole();
    expect((await fromPage(app, 'POST', '/api/session/token', { cookie, origin: null })).status).toBe(200);
  });
});

describe('the session ends, with its access tokens,', () => {
  const expectEnded = async ({ cookie, token }: { cookie: string; token: string }) => {
    expect(refusal(await renew(app, cookie))).toBe('401 unauthenticated');
    expect(refusal(await me(secure, token))).toBe('401 token_invalid');
  };

  it('by DELETE, which may be repeated', async () => {
    const session = await newConsole();
    const other = await openConsole(app, session.email);
    const renewed = await renew(app, session.cookie);
    for (let i = 0; i < 2; i += 1) {
      const ended = await fromPage(app, 'DELETE', '/api/session', { cookie: session.cookie });
      expect([ended.status, cookiesOf(ended.headers)['quita_session']]).toEqual([204, CLEARED]);
    }
    expect((await fromPage(app, 'DELETE', '/api/session')).status).toBe(204);
    await expectEnded(session);
    await expectEnded({ ...session, token: renewed.body.token });
    expect((await renew(app, other.cookie)).status).toBe(200);
  });

  it('by end-all, with the sessions of programs; the API key stays', async () => {
    const session = await newConsole();
    const other = await openConsole(app, session.email, true);
    const program = await logIn(app, session.email);
    const stranger = await newConsole();
    const key = await app.post<{ apiKey: string }>('/api/onboarding/me/api-key', undefined, session.token);
    const ended = await fromPage(app, 'POST', '/api/session/end-all', { cookie: session.cookie });
    expect([ended.status, cookiesOf(ended.headers)['quita_session']]).toEqual([204, CLEARED]);
    await expectEnded(session);
    await expectEnded(other);
    expect(refusal(await me(app, program.token))).toBe('401 token_invalid');
    const refreshed = await app.post('/api/auth/refresh', { refreshToken: program.refreshToken });
    expect(refusal(refreshed)).toBe('401 refresh_token_invalid');
    expect((await me(app, key.body.apiKey)).status).toBe(200);
    expect((await renew(app, stranger.cookie)).status).toBe(200);
    const again = await fromPage(app, 'POST', '/api/session/end-all', { cookie: session.cookie });
    expect([refusal(again), cookiesOf(again.headers)['quita_session']]).toEqual(['401 unauthenticated', CLEARED]);
  });

  it('by the logout of its access token', async () => {
    const session = await newConsole();
    expect((await app.post('/api/auth/logout', undefined, session.token)).status).toBe(204);
    await expectEnded(session);
  });

  it('by the reuse of a refresh token', async () => {
    const session = await newConsole();
    const { refreshToken } = await logIn(app, session.email);
    await app.post('/api/auth/refresh', { refreshToken });
    await app.post('/api/auth/refresh', { refreshToken });
    await expectEnded(session);
  });

  it('by a password reset', async () => {
    const session = await newConsole();
    await app.query(
      `insert into password_resets (client_id, member_id, token_hash, expires_at)
       select client_id, id, $2, now() + interval '1 minute' from members where client_id = $1`,
      [session.id, hashToken(session.email)],
    );
    const reset = { token: session.email, password: 'Cobranca2027' };
    expect((await app.post('/api/auth/password/reset', reset)).status).toBe(204);
    await expectEnded(session);
  });

  it('by a change of the password, except the session that changes it', async () => {
    const own = await newConsole();
    const other = await openConsole(app, own.email);
    const change = { current: PASSWORD, password: 'Cobranca2027' };
    expect((await app.post('/api/onboarding/me/password', change, own.token)).status).toBe(204);
    await expectEnded(other);
    expect((await renew(app, own.cookie)).status).toBe(200);
    expect((await tryLogIn(app, own.email)).status).toBe(401);
  });
});

describe('the list of sessions', () => {
  interface Listed {
    readonly items: readonly { id: string; kind: string; current: boolean; lastUsedAt: string; createdAt: string }[];
    readonly nextCursor: string | null;
  }
  const list = async (token: string, query = '') => {
    const { status, body } = await app.get<Listed>(`/api/onboarding/me/sessions${query}`, token);
    expect(status).toBe(200);
    return body;
  };

  it('shows the open sessions of the client only, the newest first, and each can be ended', async () => {
    const own = await newConsole();
    const stranger = await newConsole();
    await app.query('update sessions set ended_at = now() where client_id = $1 and cookie_hash is null', [own.id]);
    await pass(own.cookie, '1 hour');
    const program = await logIn(app, own.email);
    await renew(app, own.cookie);
    const { items, nextCursor } = await list(own.token);
    expect(items.map(({ kind, current }) => [kind, current])).toEqual([
      ['api', false],
      ['console', true],
    ]);
    expect(nextCursor).toBeNull();
    const [, browser] = items;
    const facts = ['createdAt', 'current', 'expiresAt', 'id', 'ip', 'kind', 'lastUsedAt', 'userAgent'];
    expect(Object.keys(browser!).sort()).toEqual(facts);
    const usedLater = Date.parse(browser!.lastUsedAt) - Date.parse(browser!.createdAt);
    expect(usedLater / 3_600_000).toBeCloseTo(1, 1);
    const first = await list(own.token, '?limit=1');
    expect((await list(own.token, `?limit=1&cursor=${first.nextCursor}`)).items).toEqual([browser]);

    const end = (token: string) => app.call('DELETE', `/api/onboarding/me/sessions/${items[0]!.id}`, { bearer: token });
    expect(refusal(await end(stranger.token))).toBe('404 not_found');
    expect((await me(app, program.token)).status).toBe(200);
    expect((await end(own.token)).status).toBe(204);
    expect(refusal(await end(own.token))).toBe('404 not_found');
    expect(refusal(await me(app, program.token))).toBe('401 token_invalid');
    expect((await list(own.token)).items).toEqual([browser]);
  });

  it('tells from where each was last used, of a long name of a browser the beginning', async () => {
    const { email } = await newConsole();
    const firefox = `Firefox/${'9'.repeat(900)}`;
    const from = (userAgent: string) => ({ headers: { 'user-agent': userAgent } });
    const login = await app.call<{ token: string; refreshToken: string }>('POST', '/api/auth/login', {
      body: { email, password: PASSWORD },
      ...from('Coletor/1'),
    });
    const seen = async () => (await list(login.body.token)).items.filter(({ current }) => current);
    expect(await seen()).toMatchObject([{ ip: expect.stringMatching(/^(127\.0\.0\.1|::1)$/), userAgent: 'Coletor/1' }]);
    const refreshed = await app.call('POST', '/api/auth/refresh', {
      body: { refreshToken: login.body.refreshToken },
      ...from(firefox),
    });
    expect(refreshed.status).toBe(200);
    expect(await seen()).toMatchObject([{ userAgent: firefox.slice(0, 300) }]);
  });

  it('drops an expired session, which the purge deletes', async () => {
    const session = await newConsole();
    await pass(session.cookie, '13 hours');
    expect((await list((await logIn(app, session.email)).token)).items.map(({ kind }) => kind)).not.toContain(
      'console',
    );
    const worker = await openDatabase({ url: app.database.url, role: 'quita_worker' });
    try {
      await purgeExpired({ db: worker })();
    } finally {
      await worker.close();
    }
    const left = await app.query('select from sessions where cookie_hash = $1', [hashToken(tokenIn(session.cookie))]);
    expect(left).toEqual([]);
    expect(refusal(await me(app, session.token))).toBe('401 token_invalid');
  });
});

it('GET /api/console tells version, adapters and identity provider', async () => {
  const { status, body } = await app.get<Record<string, unknown>>('/api/console');
  expect(status).toBe(200);
  expect(body).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    sandboxOnly: true,
    paymentProviders: [],
    hasAccounts: expect.any(Boolean),
    identity: null,
  });
});
