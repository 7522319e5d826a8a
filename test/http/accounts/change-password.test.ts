import { describe, expect, it } from '@jest/globals';
import { hashToken } from '../../../src/modules/accounts/use-cases/opaque-token.ts';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { logIn, mailsAsked, me, newKey, PASSWORD, refusal, signUp, tryLogIn } from './accounts.ts';

const app = await opened(startApp());

const NEW_PASSWORD = 'NovaSenha2027';
const WRONG = '400 validation_failed /current:password_wrong';
const change = (bearer: string | undefined, current: unknown, password: unknown = NEW_PASSWORD) =>
  app.post('/api/onboarding/me/password', { current, password }, bearer);

describe('204', () => {
  it('sets the password and ends every session except the caller’s own; the API key stays valid', async () => {
    const { id, email, token: opened } = await signUp(app);
    const own = await logIn(app, email);
    const other = await logIn(app, email);
    const key = await newKey(app, own.token);
    await app.query(
      `insert into password_resets (client_id, member_id, token_hash, expires_at)
       select client_id, id, $2, now() + interval '5 minutes' from members where client_id = $1`,
      [id, hashToken('mailed-before')],
    );
    expect((await change(own.token, PASSWORD)).status).toBe(204);
    expect((await me(app, own.token)).status).toBe(200);
    expect((await app.post('/api/auth/refresh', { refreshToken: own.refreshToken })).status).toBe(200);
    for (const token of [opened, other.token]) expect(refusal(await me(app, token))).toBe('401 token_invalid');
    const refreshed = await app.post('/api/auth/refresh', { refreshToken: other.refreshToken });
    expect(refusal(refreshed)).toBe('401 refresh_token_invalid');
    expect((await me(app, key)).status).toBe(200);
    expect(refusal(await tryLogIn(app, email))).toBe('401 invalid_credentials');
    await logIn(app, email, NEW_PASSWORD);
    const late = await app.post('/api/auth/password/reset', { token: 'mailed-before', password: 'Outra2028x' });
    expect(refusal(late)).toBe('400 validation_failed /token:token_invalid');
    expect(await mailsAsked(app, id, 'password_changed')).toBe(1);
    const noted = await app.query(
      `select actor, ip from audit_log where client_id = $1 and action = 'password_changed'`,
      [id],
    );
    expect(noted).toEqual([{ actor: 'client', ip: '127.0.0.1' }]);
  });

  it('succeeds for one of several concurrent changes', async () => {
    const { email } = await signUp(app);
    const { token } = await logIn(app, email);
    const passwords = Array.from({ length: 4 }, (_, i) => `NovaSenha${2030 + i}`);
    const answers = await Promise.all(passwords.map((password) => change(token, PASSWORD, password)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    const winner = answers.findIndex(({ status }) => status === 204);
    await logIn(app, email, passwords[winner]);
  });
});

describe('a wrong current password', () => {
  it('counts as a failed login: five lock the e-mail, also for logins, and a right password resets the count', async () => {
    const { id, email, token } = await signUp(app);
    for (let i = 0; i < 4; i += 1) expect(refusal(await change(token, 'Errada2026'))).toBe(WRONG);
    expect((await change(token, PASSWORD, PASSWORD)).status).toBe(204);
    for (let i = 0; i < 2; i += 1) expect((await tryLogIn(app, email, 'Errada2026')).status).toBe(401);
    for (let i = 0; i < 3; i += 1) expect(refusal(await change(token, 'Errada2026'))).toBe(WRONG);
    const locked = await change(token, PASSWORD);
    expect(refusal(locked)).toBe('423 account_locked');
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(890);
    expect((await tryLogIn(app, email)).status).toBe(423);
    expect(await mailsAsked(app, id, 'login_locked')).toBe(1);
    expect((await me(app, token)).status).toBe(200);
  });

  it('uses up the rate of logins', async () => {
    const strict = await startApp({ env: { LOGIN_RATE_PER_MINUTE: '3' } });
    try {
      const { token } = await signUp(strict);
      const body = { current: 'Errada2026', password: NEW_PASSWORD };
      const answers: string[] = [];
      for (let i = 0; i < 4; i += 1)
        answers.push(refusal(await strict.post('/api/onboarding/me/password', body, token)));
      expect(answers).toEqual([WRONG, WRONG, WRONG, '429 rate_limited']);
    } finally {
      await strict.close();
    }
  });
});

describe('refusals', () => {
  it.each([
    [{}, '/current:required /password:required'],
    [{ current: PASSWORD, password: 'fraca' }, '/password:password_weak'],
    [{ current: 1, password: NEW_PASSWORD }, '/current:invalid_type'],
  ])('400 %j', async (body, places) => {
    const { token } = await signUp(app);
    const answer = await app.post('/api/onboarding/me/password', body, token);
    expect(refusal(answer)).toBe(`400 validation_failed ${places}`);
  });

  it('401 for an API key and without a bearer, 422 for an account without a password', async () => {
    const { id, token } = await signUp(app);
    expect(refusal(await change(await newKey(app, token), PASSWORD))).toBe('401 access_token_required');
    expect(refusal(await change(undefined, PASSWORD))).toBe('401 unauthenticated');
    await app.query('update members set password_hash = null where client_id = $1', [id]);
    expect(refusal(await change(token, PASSWORD))).toBe('422 password_login_unavailable');
  });
});
