import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import {
  confirmAddress,
  logIn,
  mailedToken,
  mailsAsked,
  mailsTo,
  me,
  newEmail,
  newKey,
  refusal,
  signUp,
} from './accounts.ts';

const app = await opened(startApp({ roles: ['api', 'worker', 'relay'] }));

const GONE = '400 validation_failed /token:token_invalid';
const confirm = (token: unknown) => app.post('/api/onboarding/confirm-email', { token });
const ask = (bearer: string, headers = {}) => app.call('POST', '/api/onboarding/me/confirmation', { bearer, headers });
const isConfirmed = async (bearer: string) =>
  (await app.get<{ emailConfirmed: boolean }>('/api/onboarding/me', bearer)).body.emailConfirmed;

describe('a sign-up', () => {
  it('mails a link that confirms the address once, without any text that the opener entered', async () => {
    const { id, email, token: bearer } = await signUp(app, { name: 'Receita Federal do Brasil' });
    expect(await isConfirmed(bearer)).toBe(false);
    const token = await mailedToken(app, email, 'email_confirmation');
    const [mail] = await mailsTo(app, email);
    expect(mail).toMatchObject({ purpose: 'email_confirmation', clientId: id });
    expect(mail?.text).toContain('Quita: confirme este e-mail');
    expect(mail?.text).not.toContain('Receita Federal');
    expect((await confirm(token)).status).toBe(204);
    expect(await isConfirmed(bearer)).toBe(true);
    expect(refusal(await confirm(token))).toBe(GONE);
    const [row] = await app.query('select confirm_email_by from clients where id = $1', [id]);
    expect(row).toEqual({ confirm_email_by: null });
    const audit = await app.query(`select from audit_log where client_id = $1 and action = 'email_confirmed'`, [id]);
    expect(audit).toHaveLength(1);
    // Sessions stay open, because the reader of the mail also opened the account.
    const { token: later } = await logIn(app, email);
    expect((await me(app, later)).status).toBe(200);
  });

  it('stores the token neither in the database nor in the payload that histories contain', async () => {
    const { email } = await signUp(app);
    const token = await mailedToken(app, email, 'email_confirmation');
    const kept = await app.query('select row_to_json(email_confirmations)::text as row from email_confirmations');
    const outbox = await app.query('select row_to_json(outbox)::text as row from outbox');
    expect(JSON.stringify([kept, outbox])).not.toContain(token);
    expect(JSON.stringify(outbox)).not.toContain(email);
  });

  it('has 14 days to confirm', async () => {
    const { id } = await signUp(app);
    const [row] = await app.query<{ days: number }>(
      'select extract(epoch from confirm_email_by - now())::float8 / 86400 as days from clients where id = $1',
      [id],
    );
    expect(row?.days).toBeCloseTo(14, 1);
  });

  it('that is refused sends no mail', async () => {
    const { id, email } = await signUp(app);
    const again = { name: 'Outra', email, password: 'Cobranca2026' };
    expect(refusal(await app.post('/api/onboarding/signup', again))).toBe('409 email_taken');
    expect(await mailsAsked(app, id, 'email_confirmation')).toBe(1);
  });
});

describe('another link', () => {
  it('is mailed once for calls with one Idempotency-Key', async () => {
    const { id, token: bearer } = await signUp(app);
    const key = { 'idempotency-key': randomUUID() };
    expect([(await ask(bearer, key)).status, (await ask(bearer, key)).status]).toEqual([202, 202]);
    expect(await mailsAsked(app, id, 'email_confirmation')).toBe(2);
  });

  it('is mailed on request, and the use of one link invalidates all', async () => {
    const { id, email, token: bearer } = await signUp(app);
    const first = await mailedToken(app, email, 'email_confirmation');
    expect((await ask(bearer)).status).toBe(202);
    const second = await mailedToken(app, email, 'email_confirmation', 2);
    await app.query(
      `update email_confirmations set expires_at = now() where client_id = $1 and id = (
      select id from email_confirmations where client_id = $1 order by created_at limit 1)`,
      [id],
    );
    expect(refusal(await confirm(first))).toBe(GONE);
    expect((await ask(bearer)).status).toBe(202);
    const third = await mailedToken(app, email, 'email_confirmation', 3);
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(second)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400, 400]);
    expect(refusal(await confirm(third))).toBe(GONE);
  });

  it('is valid for 24 hours', async () => {
    const { id, email } = await signUp(app);
    await mailedToken(app, email, 'email_confirmation');
    const [row] = await app.query<{ hours: number }>(
      'select extract(epoch from expires_at - created_at)::float8 / 3600 as hours from email_confirmations where client_id = $1',
      [id],
    );
    expect(row?.hours).toBeCloseTo(24, 1);
  });

  it('is mailed at most three times an hour, and not once the address is confirmed', async () => {
    const { id, token: bearer } = await signUp(app);
    for (let i = 0; i < 3; i += 1) expect((await ask(bearer)).status).toBe(202);
    const refused = await ask(bearer);
    expect(refusal(refused)).toBe('429 rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await mailsAsked(app, id, 'email_confirmation')).toBe(4);
    await confirmAddress(app, id);
    expect((await ask(bearer)).status).toBe(202);
    expect(await mailsAsked(app, id, 'email_confirmation')).toBe(4);
  });

  it('needs an access token: 401 for an API key and without a bearer', async () => {
    const { token } = await signUp(app);
    expect(refusal(await ask(await newKey(app, token)))).toBe('401 access_token_required');
    expect(refusal(await app.post('/api/onboarding/me/confirmation'))).toBe('401 unauthenticated');
  });
});

describe('400', () => {
  it.each([
    [{}, '/token:required'],
    [{ token: 1 }, '/token:invalid_type'],
    [{ token: 'never' }, '/token:token_invalid'],
    [{ token: 'x'.repeat(5_000) }, '/token:token_invalid'],
  ])('%#', async (body, places) => {
    expect(refusal(await app.post('/api/onboarding/confirm-email', body))).toBe(`400 validation_failed ${places}`);
  });

  it('for the token of a password reset, and a reset refuses this token', async () => {
    const email = newEmail();
    await signUp(app, { email });
    const confirmation = await mailedToken(app, email, 'email_confirmation');
    await app.post('/api/auth/password/forgot', { email });
    const reset = await mailedToken(app, email, 'password_reset');
    expect(refusal(await confirm(reset))).toBe(GONE);
    const swapped = { token: confirmation, password: 'NovaSenha2027' };
    expect(refusal(await app.post('/api/auth/password/reset', swapped))).toBe(GONE);
  });
});

describe('the page of the link', () => {
  it('is Portuguese, the same for everybody, and runs only its own script', async () => {
    const page = await app.get<string>('/confirm-email');
    expect(page.status).toBe(200);
    expect(page.body).toContain('lang="pt-BR"');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    for (const [, path] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
      // Because of the empty icon the browser requests none.
      if (path === 'data:,') continue;
      expect((await app.get(path!)).status).toBe(200);
    }
  });
});

describe('the mails that no mail server has sent', () => {
  const mailsShown = async (bearer: string) =>
    (await app.get<{ items: { purpose: string; text: string | null }[] }>('/api/sandbox/mails', bearer)).body.items;

  it('are shown to their account alone, the newest first, and no link to a new password is', async () => {
    const { email, token: bearer } = await signUp(app);
    const confirmation = await mailedToken(app, email, 'email_confirmation');
    await app.post('/api/auth/password/forgot', { email });
    await mailedToken(app, email, 'password_reset');
    const shown = await mailsShown(bearer);
    expect(shown.map(({ purpose, text }) => [purpose, text === null])).toEqual([
      ['password_reset', true],
      ['email_confirmation', false],
    ]);
    expect(shown[1]?.text).toContain(confirmation);
    expect(JSON.stringify(shown)).not.toContain('reset-password#');
    const stranger = await signUp(app);
    await mailedToken(app, stranger.email, 'email_confirmation');
    expect(await mailsShown(stranger.token)).toHaveLength(1);
  });

  it('are shown to no API key', async () => {
    const { token: bearer } = await signUp(app);
    const answer = await app.get('/api/sandbox/mails', await newKey(app, bearer));
    expect(refusal(answer)).toBe('401 access_token_required');
  });
});
