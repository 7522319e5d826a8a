import { describe, expect, it } from '@jest/globals';
import { type App, startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { logIn, me, newEmail, PASSWORD, type Problem, refusal, setStatus, signUp, tryLogIn } from './accounts.ts';

const app = await opened(startApp({ productionPasswords: true }));

const login = (body: unknown) => app.post<Problem>('/api/auth/login', body);

describe('200', () => {
  it('returns a token pair and the client, which is ACTIVE from the first login on', async () => {
    const { id, email, trialEndsAt } = await signUp(app);
    const first = await logIn(app, email.toUpperCase());
    const client = { id, name: 'Escola Aurora', email, plan: 'GROWTH', status: 'ACTIVE', trialEndsAt };
    expect(first.client).toEqual(client);
    expect(first.member).toMatchObject({ name: 'Escola Aurora', email, role: 'owner' });
    expect(Object.keys(first).sort()).toEqual(['client', 'member', 'refreshToken', 'token']);
    expect((await me(app, first.token)).body).toMatchObject(client);
  });

  it('the token contains ids and times, and no personal data', async () => {
    const { id, email } = await signUp(app);
    const { token } = await logIn(app, email);
    const [header, claims] = token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    expect(Object.keys(header).sort()).toEqual(['alg', 'kid', 'typ']);
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub']);
    expect(claims.sub).toBe(id);
    expect(claims.exp - claims.iat).toBe(15 * 60);
  });

  it('accepts a password in every Unicode form of its accents', async () => {
    const { email } = await signUp(app, { password: 'Cobran\u00e7a2026' });
    await logIn(app, email, 'Cobranc\u0327a2026');
  });

  it('stores only hashes of tokens', async () => {
    const { email } = await signUp(app);
    const { token, refreshToken } = await logIn(app, email);
    const rows = await app.query('select row_to_json(t)::text as row from refresh_tokens t');
    const sessions = await app.query('select row_to_json(t)::text as row from sessions t');
    expect(JSON.stringify([rows, sessions])).not.toContain(refreshToken);
    expect(app.logText()).not.toContain(token);
    expect(app.logText()).not.toContain(refreshToken);
  });
});

describe('400', () => {
  it.each([
    [{}, '/email:required /password:required'],
    [{ email: 'ana', password: PASSWORD }, '/email:email_invalid'],
    [{ email: ['a@acme.com.br'], password: PASSWORD }, '/email:invalid_type'],
    [{ email: 'a@acme.com.br', password: '' }, '/password:too_short'],
    [{ email: 'a@acme.com.br', password: null }, '/password:invalid_type'],
    [{ email: 'a@acme.com.br', password: { $ne: '' } }, '/password:invalid_type'],
    [{ email: 'a@acme.com.br', password: 'x'.repeat(250_000) }, '/password:too_long'],
    [{ email: 'a@acme.com.br', password: 'x\0' }, '/password:invalid_value'],
    [{ email: 'ana@gmail.com', password: PASSWORD }, '/email:email_not_corporate'],
  ])('%j: %s', async (body, places) => {
    expect(refusal(await login(body))).toBe(`400 validation_failed ${places}`);
  });

  it('does not count a personal e-mail towards a lock', async () => {
    for (let i = 0; i < 7; i += 1) expect((await login({ email: 'eu@gmail.com', password: 'x' })).status).toBe(400);
  });
});

describe('401', () => {
  it('is the same for a wrong password and an unknown e-mail', async () => {
    const { email } = await signUp(app);
    const strip = ({ body }: { body: Problem }) => ({ ...body, requestId: '' });
    const wrong = await login({ email, password: 'Errada2026' });
    const unknown = await login({ email: newEmail(), password: 'Errada2026' });
    expect(refusal(wrong)).toBe('401 invalid_credentials');
    expect(strip(unknown)).toEqual(strip(wrong));
    expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()]);
  });

  it('takes the same time for both', async () => {
    const timed = async (email: string) => {
      const began = performance.now();
      expect((await tryLogIn(app, email, 'Errada2026')).status).toBe(401);
      return performance.now() - began;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    // The minimum of each is compared, because a busy machine only adds time; more rounds follow until both have met a
    // quiet moment. Without a hash the ratio would be several times less in every round.
    const ratio = (): number => Math.min(...unknown) / Math.min(...known);
    for (let round = 0; round < 8 || (round < 32 && !(ratio() > 0.6 && ratio() < 1.6)); round += 1) {
      // The fifth failure locks an e-mail.
      const { email } = await signUp(app);
      for (let login = 0; login < 4; login += 1) {
        known.push(await timed(email));
        unknown.push(await timed(newEmail()));
      }
    }
    expect(ratio()).toBeGreaterThan(0.6);
    expect(ratio()).toBeLessThan(1.6);
  });
});

describe('403', () => {
  it.each(['PAUSED', 'CANCELLED'])('for a %s client, after a right password only', async (status) => {
    const { id, email } = await signUp(app);
    await setStatus(app, id, status);
    expect(refusal(await tryLogIn(app, email))).toBe('403 account_inactive');
    expect(refusal(await tryLogIn(app, email, 'Errada2026'))).toBe('401 invalid_credentials');
  });
});

describe('422', () => {
  it('for an account without a password, whatever the password', async () => {
    const { id, email } = await signUp(app);
    await app.query('update members set password_hash = null where client_id = $1', [id]);
    for (let i = 0; i < 7; i += 1) expect(refusal(await tryLogIn(app, email))).toBe('422 password_login_unavailable');
  });
});

describe('the rate', () => {
  it('is 5 a minute for an IP, over all instances', async () => {
    const env = { LOGIN_RATE_PER_MINUTE: '5', TRUST_PROXY: '1' };
    const one = await startApp({ env });
    const other = await startApp({ env, database: one.database });
    try {
      const at = (instance: App, ip: string) =>
        instance.call('POST', '/api/auth/login', {
          body: { email: newEmail(), password: 'Errada2026' },
          headers: { 'x-forwarded-for': ip },
        });
      const answers = [];
      for (let i = 0; i < 3; i += 1) {
        answers.push(await at(one, '203.0.113.7'));
        answers.push(await at(other, '203.0.113.7'));
      }
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
      expect(Number(answers[5]!.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await at(other, '203.0.113.8')).status).toBe(401);
      for (let i = 0; i < 5; i += 1) await at(other, `2001:db8::${i}`);
      expect((await at(other, '2001:db8::ffff')).status).toBe(429);
    } finally {
      await other.close();
      await one.close();
    }
  });
});
