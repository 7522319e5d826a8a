import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import {
  confirmAddress,
  logIn,
  mailsTo,
  me,
  newEmail,
  PASSWORD,
  refusal,
  signUp,
  mailedToken as tokenOfMail,
  tryLogIn,
} from './accounts.ts';

const app = await opened(startApp({ roles: ['api', 'worker', 'relay'] }));

const NEW_PASSWORD = 'NovaSenha2027';
const forget = (email: unknown) => app.post('/api/auth/password/forgot', { email });
const reset = (token: unknown, password: unknown = NEW_PASSWORD) =>
  app.post('/api/auth/password/reset', { token, password });

async function mailedToken(email: string, nth = 1): Promise<string> {
  expect((await forget(email)).status).toBe(202);
  return tokenOfMail(app, email, 'password_reset', nth);
}

describe('202', () => {
  it('mails a link in Portuguese, and stores only the hash of its token', async () => {
    const { id, email } = await signUp(app, { name: 'Receita Federal do Brasil' });
    const token = await mailedToken(email.toUpperCase().toLowerCase());
    const [mail] = await mailsTo(app, email, 'password_reset');
    expect(mail).toMatchObject({ purpose: 'password_reset', clientId: id });
    expect(mail?.text).toContain('redefinição de senha');
    // The opener of the account chose its name, so a mail that anybody can cause does not contain it.
    expect(mail?.text).not.toContain('Receita Federal');
    // The token is in the fragment, which reaches no server, no log and no `Referer`.
    expect(mail?.text).toContain(`/reset-password#${token}`);
    expect(token).toMatch(/^[\w-]{43}$/);
    const kept = await app.query('select row_to_json(password_resets)::text as row from password_resets');
    const outbox = await app.query('select row_to_json(outbox)::text as row from outbox');
    expect(JSON.stringify([kept, outbox])).not.toContain(token);
    expect(JSON.stringify(outbox)).not.toContain(email);
  });

  it('is the same for an unknown e-mail, which gets no mail', async () => {
    const { email } = await signUp(app);
    const nobody = newEmail();
    const known = await forget(email);
    const unknown = await forget(nobody);
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    const asked = await app.query(`select from outbox where payload ->> 'kind' = 'password_reset'`);
    await forget(nobody);
    expect(await app.query(`select from outbox where payload ->> 'kind' = 'password_reset'`)).toHaveLength(
      asked.length,
    );
  });

  it('sends at most three mails an hour to an e-mail', async () => {
    const { id, email } = await signUp(app);
    for (let i = 0; i < 5; i += 1) expect((await forget(email)).status).toBe(202);
    const asked = await app.query(
      `select from outbox where payload ->> 'clientId' = $1 and payload ->> 'kind' = 'password_reset'`,
      [id],
    );
    expect(asked).toHaveLength(3);
  });

  it('sends no mail to an account without a password', async () => {
    const { id, email } = await signUp(app);
    await app.query('update members set password_hash = null where client_id = $1', [id]);
    expect((await forget(email)).status).toBe(202);
    const asked = `select from outbox where payload ->> 'clientId' = $1 and payload ->> 'kind' = 'password_reset'`;
    expect(await app.query(asked, [id])).toEqual([]);
  });
});

describe('204', () => {
  it('sets the password, ends every session and the lock, and keeps the API key of a confirmed account', async () => {
    const { id, email } = await signUp(app);
    await confirmAddress(app, id);
    const session = await logIn(app, email);
    const key = await app.post<{ apiKey: string }>('/api/onboarding/me/api-key', undefined, session.token);
    for (let i = 0; i < 5; i += 1) await tryLogIn(app, email, 'Errada2026');
    expect((await tryLogIn(app, email)).status).toBe(423);
    const token = await mailedToken(email);
    expect((await reset(token)).status).toBe(204);
    expect(refusal(await me(app, session.token))).toBe('401 token_invalid');
    const dead = await app.post('/api/auth/refresh', { refreshToken: session.refreshToken });
    expect(refusal(dead)).toBe('401 refresh_token_invalid');
    expect((await me(app, key.body.apiKey)).status).toBe(200);
    expect(refusal(await tryLogIn(app, email, PASSWORD))).toBe('401 invalid_credentials');
    await logIn(app, email, NEW_PASSWORD);
  });
});

describe('400', () => {
  const GONE = '400 validation_failed /token:token_invalid';

  it.each([
    [{}, '/token:required /password:required'],
    [{ token: 1, password: NEW_PASSWORD }, '/token:invalid_type'],
    [{ token: 'never', password: 'fraca' }, '/password:password_weak'],
    [{ token: 'never', password: NEW_PASSWORD }, '/token:token_invalid'],
  ])('%j: %s', async (body, places) => {
    expect(refusal(await app.post('/api/auth/password/reset', body))).toBe(`400 validation_failed ${places}`);
  });

  it('for a text that is not an e-mail address', async () => {
    expect(refusal(await forget('ana'))).toBe('400 validation_failed /email:email_invalid');
    expect(refusal(await forget(null))).toBe('400 validation_failed /email:invalid_type');
  });

  it('for a token that was never mailed, whatever its length', async () => {
    expect(refusal(await reset('never'))).toBe(GONE);
    expect(refusal(await reset('x'.repeat(5_000)))).toBe(GONE);
  });

  it('for a token that was used, also concurrently, or whose client used another one', async () => {
    const { email } = await signUp(app);
    const first = await mailedToken(email);
    const second = await mailedToken(email, 2);
    const answers = await Promise.all(Array.from({ length: 5 }, () => reset(first)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400, 400]);
    expect(refusal(await reset(first))).toBe(GONE);
    expect(refusal(await reset(second))).toBe(GONE);
  });

  it('after 30 minutes', async () => {
    const { id, email } = await signUp(app);
    const token = await mailedToken(email);
    const [row] = await app.query<{ minutes: number }>(
      'select extract(epoch from expires_at - created_at)::float8 / 60 as minutes from password_resets where client_id = $1',
      [id],
    );
    expect(row?.minutes).toBeCloseTo(30, 1);
    await app.query('update password_resets set expires_at = now() where client_id = $1', [id]);
    expect(refusal(await reset(token))).toBe(GONE);
    await logIn(app, email);
  });
});

describe('the page of the link', () => {
  it('is Portuguese, contains no token, runs only its own script, and sends no referrer', async () => {
    const page = await app.get<string>('/reset-password');
    expect(page.status).toBe(200);
    expect(page.body).toContain('lang="pt-BR"');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    for (const [, path] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
      // Because of the empty icon the browser requests none.
      if (path === 'data:,') continue;
      expect((await app.get(path!)).status).toBe(200);
    }
  });
});
