import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { type LoggedIn, logIn, me, type Problem, refusal, setStatus, signUp } from './accounts.ts';

const app = await opened(startApp());
const other = await opened(startApp({ database: app.database }));

const refresh = (refreshToken: unknown, on = app) => on.post<LoggedIn & Problem>('/api/auth/refresh', { refreshToken });
const newSession = async () => {
  const { id, email } = await signUp(app);
  return { id, email, ...(await logIn(app, email)) };
};

describe('200', () => {
  it('returns a new pair each time', async () => {
    let { token, refreshToken } = await newSession();
    for (let i = 0; i < 3; i += 1) {
      const { status, body } = await refresh(refreshToken);
      expect(status).toBe(200);
      expect(Object.keys(body).sort()).toEqual(['refreshToken', 'token']);
      expect(body.token).not.toBe(token);
      expect(body.refreshToken).not.toBe(refreshToken);
      expect((await me(app, body.token)).status).toBe(200);
      ({ token, refreshToken } = body);
    }
  });

  it('each token is valid for 30 days from its own issue, and so is its session', async () => {
    const { id, refreshToken } = await newSession();
    await app.query(`update refresh_tokens set expires_at = now() + interval '1 minute' where client_id = $1`, [id]);
    await app.query(`update sessions set expires_at = now() + interval '1 minute' where client_id = $1`, [id]);
    expect((await refresh(refreshToken)).status).toBe(200);
    const left = `extract(epoch from max(expires_at) - now())::float8 / 86400 as days`;
    for (const table of ['refresh_tokens', 'sessions']) {
      const [row] = await app.query<{ days: number }>(`select ${left} from ${table} where client_id = $1`, [id]);
      expect(row?.days).toBeCloseTo(30, 1);
    }
  });
});

describe('400', () => {
  it.each([
    [undefined, 'required'],
    [null, 'invalid_type'],
    ['', 'too_short'],
    [[1], 'invalid_type'],
  ])('%j: %s', async (refreshToken, code) => {
    expect(refusal(await refresh(refreshToken))).toBe(`400 validation_failed /refreshToken:${code}`);
  });
});

describe('401', () => {
  it('for a token that was never issued, and for an access token', async () => {
    const { token } = await newSession();
    expect(refusal(await refresh('never'))).toBe('401 refresh_token_invalid');
    expect(refusal(await refresh(token))).toBe('401 refresh_token_invalid');
    expect(refusal(await refresh('x'.repeat(200_000)))).toBe('401 refresh_token_invalid');
  });

  it('after 30 days', async () => {
    const { id, refreshToken } = await newSession();
    await app.query(`update refresh_tokens set expires_at = now() where client_id = $1`, [id]);
    expect(refusal(await refresh(refreshToken))).toBe('401 refresh_token_invalid');
  });

  it('after logout', async () => {
    const { token, refreshToken } = await newSession();
    expect((await app.post('/api/auth/logout', undefined, token)).status).toBe(204);
    expect(refusal(await refresh(refreshToken))).toBe('401 refresh_token_invalid');
    expect(refusal(await me(other, token))).toBe('401 token_invalid');
  });

  it('a reuse ends every session of the client on every instance at once; its key and other clients are not affected', async () => {
    const { email, token, refreshToken } = await newSession();
    const second = await logIn(app, email);
    const key = await app.post<{ apiKey: string }>('/api/onboarding/me/api-key', undefined, token);
    const stranger = await newSession();
    const pair = (await refresh(refreshToken)).body;

    expect(refusal(await refresh(refreshToken, other))).toBe('401 refresh_token_reused');
    for (const instance of [app, other]) {
      for (const dead of [token, pair.token, second.token]) {
        expect(refusal(await me(instance, dead))).toBe('401 token_invalid');
      }
      expect((await me(instance, key.body.apiKey)).status).toBe(200);
      expect((await me(instance, stranger.token)).status).toBe(200);
    }
    for (const dead of [pair.refreshToken, second.refreshToken]) {
      expect(refusal(await refresh(dead))).toBe('401 refresh_token_invalid');
    }
    await logIn(app, email);
  });

  it('of concurrent uses at most one gets a pair, which is invalid as well', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { token, refreshToken } = await newSession();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => refresh(refreshToken, i % 2 === 0 ? app : other)),
      );
      const pairs = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status !== 200).map(refusal);
      expect(pairs.length).toBeLessThanOrEqual(1);
      expect(new Set(refused)).toEqual(new Set(['401 refresh_token_reused']));
      for (const dead of [token, ...pairs.map(({ body }) => body.token)]) {
        expect(refusal(await me(app, dead))).toBe('401 token_invalid');
      }
    }
  });

  it('does not ask for a bearer', async () => {
    expect((await refresh('never')).headers.get('www-authenticate')).toBeNull();
  });
});

describe('403', () => {
  it('for a paused client, whose token stays unused', async () => {
    const { id, token, refreshToken } = await newSession();
    await setStatus(app, id, 'PAUSED');
    expect(refusal(await refresh(refreshToken))).toBe('403 account_inactive');
    expect(refusal(await me(app, token))).toBe('403 account_inactive');
    await setStatus(app, id, 'ACTIVE');
    expect((await refresh(refreshToken)).status).toBe(200);
  });
});
