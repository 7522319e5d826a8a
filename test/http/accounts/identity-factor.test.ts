import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../../testing/app.ts';
import { AUDIENCE, newProviderKey, startIdentityProvider } from '../../../testing/identity-provider.ts';
import { opened } from '../../../testing/opened.ts';
import { addMember, logIn, me, newEmail, type Problem, refusal, signUp } from './accounts.ts';
import { codeOf, setUpFactor, wrongCodeOf } from './factors.ts';

const provider = await opened(startIdentityProvider({ key: await newProviderKey('first') }));
const app = await opened(
  startApp({ env: { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: AUDIENCE, PUBLIC_RATE_PER_MINUTE: '10000' } }),
);

const FACTORS = '/api/onboarding/me/factors';
const NEEDED = '401 second_factor_required';
const STEP_UP = '401 step_up_required';

const secondsAgo = (seconds: number): number => Math.floor(Date.now() / 1_000) - seconds;
const invite = async (token: string): Promise<string> => {
  const body = { email: newEmail(), name: 'Bia', role: 'agent' };
  const answer = await app.post<Problem>('/api/members', body, token);
  return answer.status === 201 ? '201' : refusal(answer);
};

/** An owner who signs in at the provider; `token` gives ID tokens with these claims besides. */
async function newOwner() {
  const who = { sub: randomUUID(), email: newEmail(), email_verified: true, name: 'Padaria Sol' };
  const token = (claims: object = {}) => provider.forge({ ...who, ...claims });
  const { body } = await me(app, await token());
  return { clientId: body.id, token };
}

async function newProtected() {
  const owner = await newOwner();
  return { ...owner, ...(await setUpFactor(app, { token: await owner.token() })) };
}

describe('an ID token of a member with a second factor', () => {
  it.each([
    ['nothing', undefined],
    ['a password alone', ['pwd']],
    ['a name that nobody knows', ['strong']],
    ['no list', 'mfa'],
    ['lists in the list', [['mfa']]],
    ['an empty list', []],
  ])('is refused when the provider says of the methods: %s', async (_, amr) => {
    const { token } = await newProtected();
    expect(refusal(await me(app, await token({ amr })))).toBe(NEEDED);
  });

  it.each(['mfa', 'otp', 'hwk', 'swk', 'sc', 'fido', 'ngcmfa'])('counts when the provider says %s', async (method) => {
    const { token } = await newProtected();
    expect((await me(app, await token({ amr: ['pwd', method] }))).status).toBe(200);
  });

  it('counts as a step-up for five minutes of the moment in which the provider asked', async () => {
    const { token } = await newProtected();
    const asked = (claims: object) => token({ amr: ['mfa'], ...claims });
    expect(await invite(await asked({ auth_time: secondsAgo(240) }))).toBe('201');
    expect(await invite(await asked({ auth_time: secondsAgo(305) }))).toBe(STEP_UP);
    // Without a moment, or with one that is no number, nobody knows when the person was asked.
    expect(await invite(await asked({}))).toBe(STEP_UP);
    expect(await invite(await asked({ auth_time: String(secondsAgo(10)) }))).toBe(STEP_UP);
    // The moment of a password alone proves nothing.
    expect(await invite(await token({ amr: ['pwd'], auth_time: secondsAgo(10) }))).toBe(NEEDED);
    const late = await asked({ auth_time: secondsAgo(305) });
    expect(refusal(await app.post<Problem>('/api/auth/step-up', { code: '123456' }, late))).toBe(
      '401 access_token_required',
    );
  });
});

describe('an ID token of a member without a second factor', () => {
  it('is asked for nothing by itself, and for a factor when the company asks all members', async () => {
    const { clientId, token } = await newOwner();
    expect(await invite(await token())).toBe('201');
    await app.query('update clients set require_second_factor = true where id = $1', [clientId]);
    expect(refusal(await me(app, await token({ amr: ['pwd'] })))).toBe('403 second_factor_missing');
    expect((await me(app, await token({ amr: ['pwd', 'otp'] }))).status).toBe(200);
  });
});

describe('GET /api/onboarding/me/factors', () => {
  it('tells each member of the own factors alone, also where the company asks for one', async () => {
    const { id: clientId, email } = await signUp(app);
    const owner = await logIn(app, email);
    const factors = async ({ token }: { readonly token: string }) => (await app.get(FACTORS, token)).body;
    const none = { totp: false, recoveryCodesLeft: 0, passkeys: 0 };
    await setUpFactor(app, owner);
    const auditor = await addMember(app, clientId, 'auditor');
    await app.query('update clients set require_second_factor = true where id = $1', [clientId]);
    expect([await factors(owner), await factors(auditor)]).toEqual([
      { totp: true, recoveryCodesLeft: 10, passkeys: 0 },
      none,
    ]);
    const list = await app.get<{ items: { secondFactor?: boolean }[] }>('/api/members', owner.token);
    expect(list.body.items.map(({ secondFactor }) => secondFactor)).toEqual([true, false]);
    // An app without its first code does not count.
    await app.post('/api/onboarding/me/totp', undefined, auditor.token);
    expect(await factors(auditor)).toEqual(none);

    const { recoveryCodes } = await setUpFactor(app, auditor);
    await app.post('/api/auth/step-up', { code: recoveryCodes[0] }, auditor.token);
    expect([await factors(owner), await factors(auditor)]).toEqual([
      { totp: true, recoveryCodesLeft: 10, passkeys: 0 },
      { totp: true, recoveryCodesLeft: 9, passkeys: 0 },
    ]);
  });

  it('follows the removal by a code alone of a member without a password', async () => {
    const { token, secret } = await newProtected();
    const bearer = await token({ amr: ['mfa'] });
    const remove = (code: string) => app.call<Problem>('DELETE', '/api/onboarding/me/totp', { bearer, body: { code } });
    expect(refusal(await remove(wrongCodeOf(secret)))).toBe('401 invalid_credentials');
    expect((await remove(codeOf(secret))).status).toBe(204);
    expect((await app.get(FACTORS, bearer)).body).toEqual({ totp: false, recoveryCodesLeft: 0, passkeys: 0 });
  });

  it('knows no API key', async () => {
    const { token } = await newOwner();
    const { apiKey } = (await app.post<{ apiKey: string }>('/api/onboarding/me/api-key', undefined, await token()))
      .body;
    expect(refusal(await app.get(FACTORS, apiKey))).toBe('401 access_token_required');
  });
});
