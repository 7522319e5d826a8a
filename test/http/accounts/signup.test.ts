import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { me, newEmail, PASSWORD, refusal, signUp } from './accounts.ts';

const app = await opened(startApp({ env: { CORS_ORIGINS: 'https://front.example' }, productionPasswords: true }));

const DAY_MS = 86_400_000;
const send = (change: Readonly<Record<string, unknown>>) =>
  app.post('/api/onboarding/signup', { name: 'Escola Aurora', email: newEmail(), password: PASSWORD, ...change });
const clients = async () => (await app.query('select id from clients')).length;

describe('201', () => {
  it('opens an ONBOARDING account on GROWTH with 14 days of trial and a token that works', async () => {
    const email = newEmail();
    const before = Date.now();
    const made = await signUp(app, { name: '  Escola Aurora  ', email: email.toUpperCase() });
    expect(made).toMatchObject({ name: 'Escola Aurora', email, plan: 'GROWTH', status: 'ONBOARDING' });
    expect(Object.keys(made).sort()).toEqual(['email', 'id', 'name', 'plan', 'status', 'token', 'trialEndsAt']);
    expect(made.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    const trial = Date.parse(made.trialEndsAt) - before;
    expect(Math.abs(trial - 14 * DAY_MS)).toBeLessThan(60_000);
    expect((await me(app, made.token)).body).toMatchObject({ id: made.id, cnpj: null, segment: null, address: null });
  });

  it.each([
    ['11.222.333/0001-81', '11222333000181'],
    ['11222333000181', '11222333000181'],
    ['12.ABC.345/01DE-35', '12ABC34501DE35'],
    ['12abc34501de35', '12ABC34501DE35'],
  ])('stores the CNPJ %s as %s', async (cnpj, kept) => {
    const { token } = await signUp(app, { cnpj, segment: 'saude' });
    expect((await me(app, token)).body).toMatchObject({ cnpj: kept, segment: 'saude' });
  });

  it.each(['A', '!!!', '24/7', '☀️', '日本'])('accepts the name %s', async (name) => {
    expect((await signUp(app, { name })).name).toBe(name);
  });

  it('accepts one CNPJ for several accounts', async () => {
    await signUp(app, { cnpj: '11222333000181' });
    await signUp(app, { cnpj: '11222333000181' });
  });

  it('ignores unknown members and does not store them', async () => {
    const made = await signUp(app, { status: 'ACTIVE', plan: 'FREE', id: '11111111-1111-4111-8111-111111111111' });
    expect(made).toMatchObject({ status: 'ONBOARDING', plan: 'GROWTH' });
    expect(made.id).not.toMatch(/^11111111-/);
  });

  it('stores no password and no token', async () => {
    const { id, token } = await signUp(app);
    const [row] = await app.query<{ passwordHash: string }>(
      'select password_hash as "passwordHash" from members where client_id = $1',
      [id],
    );
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,p=1,t=2\$/);
    expect(app.logText()).not.toContain(PASSWORD);
    expect(app.logText()).not.toContain(token);
  });
});

describe('400', () => {
  const LONG = 'x'.repeat(250_000);
  const wrong: readonly [field: string, value: unknown, code: string][] = [
    ['name', undefined, 'required'],
    ['name', null, 'invalid_type'],
    ['name', 7, 'invalid_type'],
    ['name', ['Escola'], 'invalid_type'],
    ['name', { toString: 'Escola' }, 'invalid_type'],
    ['name', '   ', 'too_short'],
    ['name', '\u200b\u200b', 'invalid_value'],
    ['name', 'a\r\nBcc: b@c.com.br', 'invalid_value'],
    ['name', 'a\0b', 'invalid_value'],
    ['name', 'Bra\u200bdesco', 'invalid_value'],
    ['name', 'Bra\u202edesco', 'invalid_value'],
    ['name', 'Bra\ufffddesco', 'invalid_value'],
    ['name', 'a'.repeat(201), 'too_long'],
    ['name', LONG, 'too_long'],
    ['email', undefined, 'required'],
    ['email', null, 'invalid_type'],
    ['name', 'Nome sujo', 'text_threat'],
    ['email', ['a@acme.com.br'], 'invalid_type'],
    ['email', '', 'email_invalid'],
    ['email', 'acme.com.br', 'email_invalid'],
    ['email', 'a@b', 'email_invalid'],
    ['email', 'a@acme.com.br, b@acme.com.br', 'email_invalid'],
    ['email', 'a@gmаil.com', 'email_invalid'],
    ['email', `${LONG}@acme.com.br`, 'email_invalid'],
    ['email', 'ana@gmail.com', 'email_not_corporate'],
    ['email', 'ANA@GMAIL.COM', 'email_not_corporate'],
    ['email', 'ana@uol.com.br', 'email_not_corporate'],
    ['email', 'ana@mailinator.com', 'email_not_corporate'],
    ['email', 'ana@ｇｍａｉｌ.com', 'email_not_corporate'],
    ['password', undefined, 'required'],
    ['password', null, 'invalid_type'],
    ['password', 12_345_678, 'invalid_type'],
    ['password', '', 'password_weak'],
    ['password', 'Curta12', 'password_weak'],
    ['password', 'semmaiuscula1', 'password_weak'],
    ['password', 'SemDigito', 'password_weak'],
    ['password', 'Digitolargo１', 'password_weak'],
    ['password', `A1${'x'.repeat(255)}`, 'too_long'],
    ['cnpj', 11_222_333_000_181, 'invalid_type'],
    ['cnpj', '', 'cnpj_invalid'],
    ['cnpj', '11222333000180', 'cnpj_invalid'],
    ['cnpj', '00000000000000', 'cnpj_invalid'],
    ['cnpj', '１１２２２３３３０００１８１', 'cnpj_invalid'],
    ['cnpj', LONG, 'cnpj_invalid'],
    ['segment', 'Fintech', 'invalid_value'],
    ['segment', null, 'invalid_value'],
    ['segment', ['saas'], 'invalid_value'],
  ];

  it.each(wrong.map(([field, value, code]) => [field, JSON.stringify(value)?.slice(0, 40), code, value] as const))(
    '%s = %s: %s',
    async (field, _shown, code, value) => {
      const before = await clients();
      const answer = await send({ [field]: value });
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(refusal(answer)).toBe(`400 validation_failed /${field}:${code}`);
      expect(await clients()).toBe(before);
    },
  );

  it('names all problems at once', async () => {
    const answer = await app.post('/api/onboarding/signup', { email: 'a@gmail.com', password: 'x', cnpj: '1' });
    expect(refusal(answer)).toBe(
      '400 validation_failed /name:required /email:email_not_corporate /password:password_weak /cnpj:cnpj_invalid',
    );
  });

  it.each([['{'], ['[]'], ['null'], ['"text"'], ['7'], ['{"name":"a"'], ['\u0000']])(
    'for the body %j',
    async (body) => {
      const answer = await app.post('/api/onboarding/signup', body);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
    },
  );

  it('repeats nothing of the body', async () => {
    const answer = await send({ password: 'segredo-fraco' });
    expect(JSON.stringify(answer.body)).not.toContain('segredo-fraco');
  });
});

describe('409', () => {
  it('for an e-mail that has an account, in any spelling', async () => {
    const { email } = await signUp(app);
    expect(refusal(await send({ email }))).toBe('409 email_taken');
    expect(refusal(await send({ email: ` ${email.toUpperCase()} ` }))).toBe('409 email_taken');
  });

  it('for all but one of several concurrent sign-ups', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send({ email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });
});

describe('413 and 415', () => {
  it('for a body that is too large, and for a body that is not JSON', async () => {
    expect(refusal(await send({ name: 'x'.repeat(1_000_000) }))).toBe('413 payload_too_large');
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'name=a' };
    expect(refusal(await app.call('POST', '/api/onboarding/signup', form))).toBe('415 unsupported_media_type');
  });
});

describe('429', () => {
  it('after as many sign-ups a minute as the operator allows, before the body is read', async () => {
    const strict = await startApp({ env: { SIGNUP_RATE_PER_MINUTE: '2' }, database: app.database });
    try {
      await signUp(strict);
      await signUp(strict);
      const refused = await strict.post('/api/onboarding/signup', '{');
      expect(refusal(refused)).toBe('429 rate_limited');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await strict.close();
    }
  });
});

describe('a browser front end', () => {
  it.each([
    ['https://front.example', 'https://front.example'],
    ['https://other.example', null],
  ])('at %s receives the allowed origin %s', async (origin, allowed) => {
    const answer = await app.call('POST', '/api/onboarding/signup', { headers: { origin }, body: {} });
    expect(answer.headers.get('access-control-allow-origin')).toBe(allowed);
  });
});
