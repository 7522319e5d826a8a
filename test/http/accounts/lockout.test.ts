import { describe, expect, it } from '@jest/globals';
import { emailHash } from '../../../src/modules/accounts/use-cases/login-lockout.ts';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { logIn, me, newEmail, PASSWORD, refusal, signUp, tryLogIn } from './accounts.ts';

const app = await opened(startApp());
const other = await opened(startApp({ database: app.database }));

const WRONG = 'Errada2026';
const failures = async (email: string, count: number, on = app) => {
  for (let i = 0; i < count; i += 1) expect((await tryLogIn(on, email, WRONG)).status).toBe(401);
};
const endLock = (email: string) =>
  app.query(`update login_lockouts set locked_until = now() - interval '1 ms' where email_hash = $1`, [
    emailHash(email),
  ]);
const tries = async (email: string) =>
  (await app.query(`select from audit_log where action = 'login_failed' and target = $1`, [emailHash(email)])).length;

describe('423', () => {
  it.each([
    ['an account', async () => (await signUp(app)).email],
    ['nobody', async () => newEmail()],
  ])('after five wrong logins for the e-mail of %s, with the time that is left', async (_who, find) => {
    const email = await find();
    await failures(email, 5);
    const locked = await tryLogIn(app, email);
    expect(refusal(locked)).toBe('423 account_locked');
    expect(locked.body.retryAfterSeconds).toBeGreaterThan(890);
    expect(locked.body.retryAfterSeconds).toBeLessThanOrEqual(900);
    expect(locked.headers.get('retry-after')).toBe(String(locked.body.retryAfterSeconds));
  });

  it('is not extended by attempts during the lock, and ends after 15 minutes with a new count', async () => {
    const { email } = await signUp(app);
    await failures(email, 5);
    await app.query(`update login_lockouts set locked_until = locked_until - interval '600 s' where email_hash = $1`, [
      emailHash(email),
    ]);
    for (let i = 0; i < 6; i += 1) {
      const { body } = await tryLogIn(app, email, WRONG);
      expect(body.retryAfterSeconds).toBeLessThanOrEqual(300);
    }
    await endLock(email);
    await failures(email, 4);
    await logIn(app, email);
  });

  it('counts consecutive failures, and a right password resets the count', async () => {
    const { email } = await signUp(app);
    await failures(email, 4);
    await logIn(app, email);
    await failures(email, 5);
    expect((await tryLogIn(app, email)).status).toBe(423);
  });

  it('stops password login only', async () => {
    const { email } = await signUp(app);
    const { token, refreshToken } = await logIn(app, email);
    const { body } = await app.post<{ apiKey: string }>('/api/onboarding/me/api-key', undefined, token);
    await failures(email, 5);
    expect((await me(app, token)).status).toBe(200);
    expect((await me(app, body.apiKey)).status).toBe(200);
    expect((await app.post('/api/auth/refresh', { refreshToken })).status).toBe(200);
  });

  it('comes before 429, which comes after five logins from one IP', async () => {
    const strict = await startApp({ env: { LOGIN_RATE_PER_MINUTE: '5' } });
    try {
      const email = newEmail();
      await failures(email, 5, strict);
      expect(refusal(await tryLogIn(strict, email))).toBe('423 account_locked');
      const other = newEmail();
      expect(refusal(await tryLogIn(strict, other))).toBe('429 rate_limited');
      expect(await strict.query('select from login_lockouts where email_hash = $1', [emailHash(other)])).toEqual([]);
      expect(refusal(await tryLogIn(strict, 'ana@gmail.com'))).toBe('429 rate_limited');
    } finally {
      await strict.close();
    }
  });
});

describe('concurrent logins on two instances', () => {
  const flood = (email: string, passwords: readonly string[]) =>
    Promise.all(passwords.map((password, i) => tryLogIn(i % 2 === 0 ? app : other, email, password)));
  const counted = (answers: readonly { status: number }[]) =>
    Object.fromEntries(
      [...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]),
    );

  it('50 wrong logins are five attempts at the password', async () => {
    const { email } = await signUp(app);
    expect(counted(await flood(email, Array(50).fill(WRONG)))).toEqual({ 401: 5, 423: 45 });
    expect(await tries(email)).toBe(5);
  });

  it('after four failures one attempt is left', async () => {
    const { email } = await signUp(app);
    await failures(email, 4);
    expect(counted(await flood(email, Array(20).fill(WRONG)))).toEqual({ 401: 1, 423: 19 });
  });

  it('50 right logins all succeed', async () => {
    const { email } = await signUp(app);
    expect(counted(await flood(email, Array(50).fill(PASSWORD)))).toEqual({ 200: 50 });
  });
});
