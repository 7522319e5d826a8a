import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../../testing/app.ts';
import { AUDIENCE, newProviderKey, startIdentityProvider } from '../../../testing/identity-provider.ts';
import { opened } from '../../../testing/opened.ts';
import { addMember, me, newEmail, PASSWORD, type Problem, refusal } from './accounts.ts';
import { codeOf, nextCodes, setUpFactor, wrongCodeOf } from './factors.ts';

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
    const { clientId, token, secret, recoveryCodes } = await newProtected();
    const auditor = await addMember(app, clientId, 'auditor');
    await app.query('update clients set require_second_factor = true where id = $1', [clientId]);
    const proven = await token({ amr: ['mfa'] });
    expect((await app.get(FACTORS, proven)).body).toEqual({ totp: true, recoveryCodesLeft: 10 });
    expect((await app.get(FACTORS, auditor.token)).body).toEqual({ totp: false, recoveryCodesLeft: 0 });
    // An app without its first code does not count.
    await app.post('/api/onboarding/me/totp', undefined, auditor.token);
    expect((await app.get(FACTORS, auditor.token)).body).toEqual({ totp: false, recoveryCodesLeft: 0 });
    const list = await app.get<{ items: { email: string; secondFactor?: boolean }[] }>('/api/members', proven);
    expect(list.body.items.map(({ secondFactor }) => secondFactor)).toEqual([true, false]);

    const remove = (code: string) =>
      app.call<Problem>('DELETE', '/api/onboarding/me/totp', { bearer: proven, body: { code } });
    expect(refusal(await remove(wrongCodeOf(secret)))).toBe('401 invalid_credentials');
    const own = await setUpFactor(app, auditor);
    const login = { email: auditor.member.email, password: PASSWORD };
    const { challenge } = (await app.post<{ challenge: string }>('/api/auth/login', login)).body;
    const entered = await app.post<{ token: string }>('/api/auth/second-factor', {
      challenge,
      code: own.recoveryCodes[0]!,
    });
    expect((await app.get(FACTORS, entered.body.token)).body).toEqual({ totp: true, recoveryCodesLeft: 9 });
    expect(recoveryCodes).toHaveLength(10);
    await nextCodes(app);
    expect((await remove(codeOf(secret))).status).toBe(204);
    expect((await app.get(FACTORS, proven)).body).toEqual({ totp: false, recoveryCodesLeft: 0 });
  });

  it('knows no API key', async () => {
    const { token } = await newOwner();
    const { apiKey } = (await app.post<{ apiKey: string }>('/api/onboarding/me/api-key', undefined, await token()))
      .body;
    expect(refusal(await app.get(FACTORS, apiKey))).toBe('401 access_token_required');
  });
});
