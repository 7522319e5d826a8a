import { describe, expect, it } from '@jest/globals';
import { emailHash } from '../../../src/modules/accounts/use-cases/login-lockout.ts';
import { hashToken } from '../../../src/modules/accounts/use-cases/opaque-token.ts';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { confirmAddress, type LoggedIn, mailsAsked, newEmail, PASSWORD, type Problem, signUp } from './accounts.ts';

const app = await opened(startApp({ env: { TRUST_PROXY: '1' } }));

const WRONG = 'Errada2026';
let addresses = 0;
/** An address that no other test uses. */
const newAddress = (): string => {
  addresses += 1;
  return `198.51.${addresses >> 8}.${addresses & 255}`;
};

interface From {
  readonly ip: string;
  readonly cookie?: string | undefined;
  /** The header by which browsers name the posting page. */
  readonly browser?: boolean;
}

const logInFrom = ({ ip, cookie, browser = cookie !== undefined }: From, email: string, password = PASSWORD) =>
  app.call<LoggedIn & Problem>('POST', '/api/auth/login', {
    body: { email, password },
    headers: {
      'x-forwarded-for': ip,
      ...(cookie === undefined ? {} : { cookie }),
      ...(browser ? { origin: 'https://console.example' } : {}),
    },
  });
const statuses = async (from: From, email: string, count: number, password = WRONG) => {
  const seen: number[] = [];
  for (let i = 0; i < count; i += 1) seen.push((await logInFrom(from, email, password)).status);
  return seen;
};
const FIVE = [401, 401, 401, 401, 401];
const cookieOf = (headers: Headers): string | undefined => headers.get('set-cookie')?.split(';')[0];
const sourcesOf = (email: string) =>
  app.query<{ hash: string }>('select source_hash as hash from login_sources where email_hash = $1', [
    emailHash(email),
  ]);

describe('an address that has logged in within 30 days', () => {
  it('is not locked out by failures from elsewhere, which lock all other addresses', async () => {
    const { id, email } = await signUp(app);
    const [home, elsewhere, third] = [{ ip: newAddress() }, { ip: newAddress() }, { ip: newAddress() }];
    expect((await logInFrom(home, email)).status).toBe(200);
    expect(await statuses(elsewhere, email, 6)).toEqual([...FIVE, 423]);
    expect((await logInFrom(third, email)).status).toBe(423);
    expect((await logInFrom(home, email)).status).toBe(200);
    // A right password from here does not reset the count of strangers.
    expect((await logInFrom(elsewhere, email)).status).toBe(423);
    expect(await mailsAsked(app, id, 'login_locked')).toBe(1);
  });

  it('is locked by five wrong passwords of its own, and locks no other source', async () => {
    const { email } = await signUp(app);
    const home = { ip: newAddress() };
    const office = { ip: newAddress() };
    expect((await logInFrom(home, email)).status).toBe(200);
    expect((await logInFrom(office, email)).status).toBe(200);
    expect(await statuses(home, email, 4)).toEqual([401, 401, 401, 401]);
    expect((await logInFrom(home, email)).status).toBe(200);
    expect(await statuses(home, email, 7)).toEqual([...FIVE, 423, 423]);
    expect((await logInFrom(home, email)).status).toBe(423);
    expect((await logInFrom(office, email)).status).toBe(200);
    expect((await logInFrom({ ip: newAddress() }, email)).status).toBe(200);
  });

  it('is a whole /64 of IPv6', async () => {
    const { email } = await signUp(app);
    expect((await logInFrom({ ip: '2001:db8:7:1::5' }, email)).status).toBe(200);
    expect(await statuses({ ip: newAddress() }, email, 6)).toEqual([...FIVE, 423]);
    expect((await logInFrom({ ip: '2001:db8:7:1:9::9' }, email)).status).toBe(200);
    expect((await logInFrom({ ip: '2001:db8:7:2::5' }, email)).status).toBe(423);
  });

  it('counts as unknown again after 30 days', async () => {
    const { email } = await signUp(app);
    const home = { ip: newAddress() };
    expect((await logInFrom(home, email)).status).toBe(200);
    await app.query(
      `update login_sources set last_login_at = now() - interval '30 days 1 second' where email_hash = $1`,
      [emailHash(email)],
    );
    expect(await statuses({ ip: newAddress() }, email, 6)).toEqual([...FIVE, 423]);
    expect((await logInFrom(home, email)).status).toBe(423);
  });

  it('is known for its own e-mail only', async () => {
    const home = { ip: newAddress() };
    const [one, other] = [await signUp(app), await signUp(app)];
    expect((await logInFrom(home, one.email)).status).toBe(200);
    expect(await statuses({ ip: newAddress() }, other.email, 6)).toEqual([...FIVE, 423]);
    expect((await logInFrom(home, other.email)).status).toBe(423);
  });

  it('concurrent wrong logins are five attempts', async () => {
    const { email } = await signUp(app);
    const home = { ip: newAddress() };
    expect((await logInFrom(home, email)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 20 }, () => logInFrom(home, email, WRONG)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 423)).toHaveLength(15);
  });

  it('a password reset ends its lock too', async () => {
    const { id, email } = await signUp(app);
    await confirmAddress(app, id);
    const home = { ip: newAddress() };
    expect((await logInFrom(home, email)).status).toBe(200);
    expect(await statuses(home, email, 6)).toEqual([...FIVE, 423]);
    expect(await statuses({ ip: newAddress() }, email, 6)).toEqual([...FIVE, 423]);
    await app.query(
      `insert into password_resets (client_id, member_id, token_hash, expires_at)
       select client_id, id, $2, now() + interval '5 minutes' from members where client_id = $1`,
      [id, hashToken(`of-${id}`)],
    );
    expect((await app.post('/api/auth/password/reset', { token: `of-${id}`, password: 'NovaSenha2027' })).status).toBe(
      204,
    );
    expect((await logInFrom(home, email, 'NovaSenha2027')).status).toBe(200);
    expect((await logInFrom({ ip: newAddress() }, email, 'NovaSenha2027')).status).toBe(200);
  });
});

describe('a browser that has logged in within 30 days', () => {
  it('is recognised by its cookie at any address, and gets no new cookie', async () => {
    const { email } = await signUp(app);
    const first = await logInFrom({ ip: newAddress(), browser: true }, email);
    const cookie = cookieOf(first.headers)!;
    expect(first.headers.get('set-cookie')).toMatch(
      /^quita_device=[\w-]{43}; Max-Age=2592000; Path=\/api\/auth\/login; HttpOnly; SameSite=Strict$/,
    );
    expect(await statuses({ ip: newAddress() }, email, 6)).toEqual([...FIVE, 423]);
    const travelling = await logInFrom({ ip: newAddress(), cookie }, email);
    expect(travelling.status).toBe(200);
    expect(cookieOf(travelling.headers)).toBe(cookie);
    expect(JSON.stringify(await sourcesOf(email))).not.toContain(cookie.split('=')[1]);
  });

  it('is locked by five failures of its own, which lock no other source', async () => {
    const { email } = await signUp(app);
    const home = newAddress();
    const cookie = cookieOf((await logInFrom({ ip: home, browser: true }, email)).headers);
    expect(await statuses({ ip: newAddress(), cookie }, email, 6)).toEqual([...FIVE, 423]);
    expect((await logInFrom({ ip: home }, email)).status).toBe(200);
    expect((await logInFrom({ ip: newAddress() }, email)).status).toBe(200);
  });

  it('gets a Secure cookie on https', async () => {
    const behind = await startApp({ env: { PUBLIC_URL: 'https://quita.example' } });
    try {
      const { email } = await signUp(behind);
      const answer = await behind.call('POST', '/api/auth/login', {
        body: { email, password: PASSWORD },
        headers: { 'sec-fetch-site': 'same-origin' },
      });
      expect(answer.headers.get('set-cookie')).toMatch(/; Secure$/);
    } finally {
      await behind.close();
    }
  });

  it('a planted token is replaced and never becomes known', async () => {
    const { email } = await signUp(app);
    const planted = `quita_device=${'A'.repeat(43)}`;
    const cookie = cookieOf((await logInFrom({ ip: newAddress(), cookie: planted }, email)).headers);
    expect(cookie).toMatch(/^quita_device=[\w-]{43}$/);
    expect(cookie).not.toBe(planted);
    expect(await statuses({ ip: newAddress() }, email, 6)).toEqual([...FIVE, 423]);
    expect((await logInFrom({ ip: newAddress(), cookie: planted }, email)).status).toBe(423);
    expect((await logInFrom({ ip: newAddress(), cookie: `other=1; ${cookie}` }, email)).status).toBe(200);
  });

  it.each(['quita_device', 'quita_device=', `quita_device=${'x'.repeat(4_000)}`, '=;=;;', 'a=b=c'])(
    'the cookie %p is no cookie of ours',
    async (cookie) => {
      const { email } = await signUp(app);
      expect((await logInFrom({ ip: newAddress(), cookie }, email)).status).toBe(200);
    },
  );
});

describe('the stored sources', () => {
  it('contain only the address for a program without cookies, however often it logs in', async () => {
    const { email } = await signUp(app);
    const script = { ip: newAddress() };
    for (let i = 0; i < 3; i += 1) {
      const answer = await logInFrom(script, email);
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
    }
    expect(await sourcesOf(email)).toHaveLength(1);
  });

  it('are at most 50, and the least recently used are deleted', async () => {
    const { email } = await signUp(app);
    await app.query(
      `insert into login_sources (email_hash, source_hash, last_login_at)
       select $1, 's' || i, now() - make_interval(hours => i) from generate_series(1, 80) as i`,
      [emailHash(email)],
    );
    expect((await logInFrom({ ip: newAddress() }, email)).status).toBe(200);
    const kept = (await sourcesOf(email)).map(({ hash }) => hash);
    expect(kept.length).toBeLessThanOrEqual(51);
    expect(kept).toContain('s1');
    expect(kept).not.toContain('s80');
  });

  it('do not reveal an account: wrong passwords are answered alike and store no source', async () => {
    const { email } = await signUp(app);
    const nobody = newEmail();
    const from = { ip: newAddress(), browser: true };
    for (const who of [email, nobody]) {
      expect(await statuses(from, who, 6)).toEqual([...FIVE, 423]);
      expect((await logInFrom(from, who, WRONG)).headers.get('set-cookie')).toBeNull();
      expect(await sourcesOf(who)).toEqual([]);
    }
  });
});
