import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../../testing/app.ts';
import { AUDIENCE, newProviderKey, startIdentityProvider } from '../../../testing/identity-provider.ts';
import { opened } from '../../../testing/opened.ts';
import {
  addMember,
  logIn,
  mailsAsked,
  me,
  newEmail,
  newKey,
  PASSWORD,
  type Problem,
  refusal,
  signUp,
} from './accounts.ts';

const key = await newProviderKey('first');
const provider = await opened(startIdentityProvider({ key }));
const identity = { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: AUDIENCE };
const startSingle = () => startApp({ env: { SINGLE_CLIENT: 'true', ...identity } });
const app = await opened(startSingle());
const shared = await opened(startApp({ env: { OPERATOR_EMAIL: 'operador@quita.com.br' } }));

const PATH = '/api/onboarding/me/confirm-company';
const ASK = '/api/onboarding/me/ask-for-verification';
const CNPJ = '11222333000181';
const ADDRESS = {
  street: 'Rua A',
  number: '1',
  district: 'Centro',
  city: 'Recife',
  state: 'PE',
  postalCode: '50010000',
};

type Company = Problem & { readonly verified: boolean; readonly missing: readonly string[] };
const trySignUp = (to = app) =>
  to.post<Problem>('/api/onboarding/signup', { name: 'Outra', email: newEmail(), password: PASSWORD });
const idToken = (email = newEmail()) =>
  provider.idToken({ sub: randomUUID(), email, email_verified: true, name: 'Padaria Sol' });

describe('a deployment of one company', () => {
  it('of sign-ups at once one succeeds, by password or identity provider, and the next find it closed', async () => {
    const fresh = await startSingle();
    try {
      const tokens = await Promise.all([idToken(), idToken(), idToken()]);
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, () => trySignUp(fresh)),
        ...tokens.map((token) => me(fresh, token)),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => status < 300)).toHaveLength(1);
      expect(answers.filter(({ status }) => status >= 300).map(refusal)).toEqual(Array(6).fill('403 signup_closed'));
      expect(await fresh.query('select from clients')).toHaveLength(1);
      expect(refusal(await trySignUp(fresh))).toBe('403 signup_closed');
      expect(refusal(await me(fresh, await idToken()))).toBe('403 signup_closed');
      expect(await fresh.query('select from members')).toHaveLength(1);
    } finally {
      await fresh.close();
    }
  });

  it('the owner confirms the company once, with the effect of the operator’s check, until it changes', async () => {
    expect((await app.get<object>('/api/console')).body).not.toHaveProperty('signupOpen');
    const { id, email } = await signUp(app);
    expect((await app.get<object>('/api/console')).body).toMatchObject({ signupOpen: false, verification: 'own' });
    const { token } = await logIn(app, email);
    const confirm = (bearer = token, confirmed: unknown = true) =>
      app.post<Company>(PATH, { confirm: confirmed }, bearer);
    const change = (body: object) => app.call<Company>('PATCH', '/api/onboarding/me', { bearer: token, body });
    expect(refusal(await confirm())).toBe('409 creditor_incomplete');
    await change({ cnpj: CNPJ, address: ADDRESS });
    expect((await confirm(token, false)).status).toBe(400);
    expect(refusal(await confirm(await newKey(app, token)))).toBe('401 access_token_required');
    const manager = await addMember(app, id, 'manager');
    expect(refusal(await confirm(manager.token))).toBe('403 role_insufficient');

    const { status, body } = await confirm();
    expect([status, body.verified, body.missing.includes('verification')]).toEqual([200, true, false]);
    expect(body.missing).not.toContain('email_confirmation');
    expect(refusal(await confirm())).toBe('409 already_verified');
    const [row] = await app.query('select verified_name, verified_cnpj, verified_address from clients');
    expect(row).toEqual({ verified_name: 'Escola Aurora', verified_cnpj: CNPJ, verified_address: ADDRESS });

    for (const changed of [{ name: 'Escola Poente' }, { address: { ...ADDRESS, number: '2' } }]) {
      expect((await change(changed)).body.verified).toBe(false);
      expect((await confirm()).body.verified).toBe(true);
    }
    const entries = await app.query('select actor, details from audit_log where action = $1', ['company_confirmed']);
    expect(entries).toEqual(Array(3).fill({ actor: 'client', details: { by: 'session' } }));
    expect(refusal(await app.post(ASK, undefined, token))).toBe('404 not_found');
  });

  it('a statement of the API that no operator has signed verifies nobody', async () => {
    const { id } = await signUp(shared);
    const { Client } = await import('pg');
    const login = new Client({ connectionString: shared.database.url });
    await login.connect();
    try {
      await login.query('begin; set local role quita_app');
      await expect(login.query('select verify_client($1)', [id])).rejects.toThrow('Only an operator');
    } finally {
      await login.end();
    }
  });
});

describe('a deployment of several companies', () => {
  it('has no confirmation of its own; an owner asks the operator by mail, once a day', async () => {
    expect((await shared.get<object>('/api/console')).body).toMatchObject({ verification: 'by_mail' });
    const { id, token } = await signUp(shared);
    expect((await trySignUp(shared)).status).toBe(201);
    expect(refusal(await shared.post(PATH, { confirm: true }, token))).toBe('404 not_found');
    expect(refusal(await shared.post(ASK, undefined, token))).toBe('409 creditor_incomplete');
    await shared.call('PATCH', '/api/onboarding/me', { bearer: token, body: { cnpj: CNPJ } });
    const answers = await Promise.all([1, 2].map(() => shared.post<Problem>(ASK, undefined, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 429]);
    expect(await mailsAsked(shared, id, 'verification_asked')).toBe(1);
  });

  it('answers a repeated call with one Idempotency-Key as it answered the first', async () => {
    const { id, token } = await signUp(shared, { cnpj: CNPJ });
    const call = { bearer: token, headers: { 'idempotency-key': randomUUID() } };
    for (let time = 0; time < 2; time += 1) expect((await shared.call('POST', ASK, call)).status).toBe(204);
    expect(await mailsAsked(shared, id, 'verification_asked')).toBe(1);
  });
});
