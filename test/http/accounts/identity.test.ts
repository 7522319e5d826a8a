import { createHmac, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { exportSPKI } from 'jose';
import { createOidcProviders } from '../../../src/modules/accounts/adapters/identity-providers/oidc/oidc-providers.ts';
import { hashToken } from '../../../src/modules/accounts/use-cases/opaque-token.ts';
import { startApp } from '../../../testing/app.ts';
import { AUDIENCE, newProviderKey, startIdentityProvider } from '../../../testing/identity-provider.ts';
import { opened } from '../../../testing/opened.ts';
import {
  confirmAddress,
  logIn,
  mailsAsked,
  me,
  newEmail,
  newKey,
  refusal,
  setStatus,
  signUp,
  tryLogIn,
} from './accounts.ts';

const key = await newProviderKey('first');
const provider = await opened(startIdentityProvider({ key }));
const app = await opened(startApp({ env: { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: AUDIENCE } }));

/** A second owner, who has a password. */
async function addOwner(to: typeof app, clientId: string) {
  const { id } = await signUp(to);
  const email = newEmail();
  await to.query(
    `insert into members (client_id, email, name, role, password_hash)
     select $1, $2, 'Dona', 'owner', password_hash from members where client_id = $3`,
    [clientId, email, id],
  );
  return logIn(to, email);
}

const person = (change: object = {}) => ({
  sub: randomUUID(),
  email: newEmail(),
  email_verified: true,
  name: 'Padaria Sol',
  ...change,
});

describe('200', () => {
  it('the first ID token opens an ACTIVE account without a password, and later ones find it', async () => {
    const who = person();
    const first = await me(app, await provider.idToken(who));
    expect(first.body).toMatchObject({ name: 'Padaria Sol', email: who.email, plan: 'GROWTH', status: 'ACTIVE' });
    const trial = Date.parse(first.body.trialEndsAt) - Date.now();
    expect(trial / 86_400_000).toBeCloseTo(14, 1);
    expect((await me(app, await provider.idToken(who))).body.id).toBe(first.body.id);
    const moved = await me(app, await provider.idToken({ ...who, email: newEmail() }));
    expect(moved.body).toMatchObject({ id: first.body.id, email: who.email });
    expect(refusal(await tryLogIn(app, who.email))).toBe('422 password_login_unavailable');
  });

  it('concurrent first tokens open one account', async () => {
    const token = await provider.idToken(person());
    const answers = await Promise.all(Array.from({ length: 10 }, () => me(app, token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('can create an API key and log out like any token', async () => {
    const token = await provider.idToken(person());
    const { body } = await app.post<{ apiKey: string }>('/api/onboarding/me/api-key', undefined, token);
    expect((await me(app, body.apiKey)).status).toBe(200);
    expect((await app.post('/api/auth/logout', undefined, token)).status).toBe(204);
    expect((await me(app, token)).status).toBe(200);
  });

  it.each([
    ['for us by name', { azp: AUDIENCE }],
    ['for us among others', { aud: [AUDIENCE, 'another'], azp: AUDIENCE }],
    ['for us as a list of one', { aud: [AUDIENCE] }],
    ['of Keycloak', { typ: 'ID', azp: AUDIENCE }],
    ['of Cognito', { token_use: 'id' }],
    ['of a provider whose clock is ahead', { iat: Math.floor(Date.now() / 1_000) + 20 }],
  ])('an ID token %s', async (_what, claims) => {
    expect((await me(app, await provider.forge({ ...person(), ...claims }))).status).toBe(200);
  });

  it('stores a name of several lines as one line', async () => {
    const token = await provider.idToken(person({ name: ' Padaria\0\r\nSol\u202e\u200b ' }));
    expect((await me(app, token)).body.name).toBe('Padaria Sol');
  });

  it('names an account without a name at the provider after its domain', async () => {
    const who = person({ name: undefined });
    expect((await me(app, await provider.idToken(who))).body.name).toBe(who.email.split('@')[1]);
  });
});

describe('an account of an identity provider', () => {
  it('has a confirmed address from the start', async () => {
    const who = person();
    const { body } = await app.get<{ id: string; emailConfirmed: boolean }>(
      '/api/onboarding/me',
      await provider.idToken(who),
    );
    expect(body.emailConfirmed).toBe(true);
    expect(await mailsAsked(app, body.id, 'email_confirmation')).toBe(0);
    expect(await app.query('select confirm_email_by from clients where id = $1', [body.id])).toEqual([
      { confirm_email_by: null },
    ]);
  });
});

describe('a sign-in with the e-mail of an unconfirmed account', () => {
  const squat = async () => {
    const account = await signUp(app);
    const session = await logIn(app, account.email);
    return { ...account, session, key: await newKey(app, session.token) };
  };

  it('confirms the address, revokes all access including the password, and links no identity', async () => {
    const { id, email, token, session, key } = await squat();
    const who = await provider.idToken(person({ email }));
    const first = await me(app, who);
    expect(refusal(first)).toBe('401 identity_not_linked');
    expect((first.body as unknown as { detail: string }).detail).toContain('Reset the password');
    for (const bearer of [token, session.token, key]) expect(refusal(await me(app, bearer))).toBe('401 token_invalid');
    const refreshed = await app.post('/api/auth/refresh', { refreshToken: session.refreshToken });
    expect(refusal(refreshed)).toBe('401 refresh_token_invalid');
    expect(refusal(await tryLogIn(app, email))).toBe('401 invalid_credentials');
    expect(await app.query('select from identities where client_id = $1', [id])).toEqual([]);
    expect(await app.query('select from clients where id = $1 and email_confirmed_at is not null', [id])).toHaveLength(
      1,
    );

    // The owner gets in by a reset, and a later sign-in revokes nothing more.
    await app.query(
      `insert into password_resets (client_id, member_id, token_hash, expires_at)
       select client_id, id, $2, now() + interval '5 minutes' from members where client_id = $1`,
      [id, hashToken(`of-${id}`)],
    );
    await app.post('/api/auth/password/reset', { token: `of-${id}`, password: 'NovaSenha2027' });
    const owner = await logIn(app, email, 'NovaSenha2027');
    expect(refusal(await me(app, who))).toBe('401 identity_not_linked');
    expect((await me(app, owner.token)).status).toBe(200);
    const audit = await app.query<{ action: string }>(
      `select action from audit_log where client_id = $1 and actor = 'identity_provider' order by seq`,
      [id],
    );
    expect(audit).toEqual([{ action: 'email_confirmed' }, { action: 'access_revoked' }]);
  });

  it('revokes nothing of an account with a confirmed address', async () => {
    const { id, email, session, key } = await squat();
    await confirmAddress(app, id);
    expect(refusal(await me(app, await provider.idToken(person({ email }))))).toBe('401 identity_not_linked');
    for (const bearer of [session.token, key]) expect((await me(app, bearer)).status).toBe(200);
  });

  it('revokes nothing for a token with an unverified e-mail', async () => {
    const { email, session } = await squat();
    const unproven = await provider.idToken(person({ email, email_verified: false }));
    expect(refusal(await me(app, unproven))).toBe('401 token_invalid');
    expect((await me(app, session.token)).status).toBe(200);
  });
});

describe('401', () => {
  it('identity_not_linked when the e-mail belongs to another account', async () => {
    const { email } = await signUp(app);
    const answer = await me(app, await provider.idToken(person({ email })));
    expect(refusal(answer)).toBe('401 identity_not_linked');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('identity_not_linked for a member who has left: neither the old company opens, nor a new one', async () => {
    const who = person();
    const { body } = await me(app, await provider.idToken(who));
    const token = await provider.idToken(who);
    const other = await addOwner(app, body.id);
    const [left] = await app.query<{ id: string }>('select id from members where email = $1', [who.email]);
    expect((await app.call('DELETE', `/api/members/${left?.id}`, { bearer: other.token })).status).toBe(204);
    expect(refusal(await me(app, token))).toBe('401 identity_not_linked');
    expect(await app.query('select from members where email = $1 and left_at is null', [who.email])).toEqual([]);
  });

  it('token_invalid for a token that the provider did not sign unchanged, and nothing is stored', async () => {
    const count = async () => (await app.query('select from clients')).length;
    const before = await count();
    const now = Math.floor(Date.now() / 1_000);
    const valid = await provider.forge({ ...person() });
    const [header, payload] = valid.split('.') as [string, string, string];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const none = `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`;
    const hmacHead = encode({ alg: 'HS256', kid: 'first', typ: 'JWT' });
    const publicPem = await exportSPKI(key.publicKey);
    const confused = `${hmacHead}.${payload}.${createHmac('sha256', publicPem).update(`${hmacHead}.${payload}`).digest('base64url')}`;
    const all: Record<string, string> = {
      'wrong audience': await provider.forge({ ...person(), aud: 'another' }),
      'wrong issuer': await provider.forge({ ...person(), iss: 'https://elsewhere.example' }),
      none,
      'HS256 with the public key': confused,
      'not yet valid': await provider.forge({ ...person(), nbf: now + 60 }),
      'no expiry': await provider.forge({ ...person(), exp: undefined as never }),
      'unknown key id': await provider.forge({ ...person() }, { kid: 'unknown' }),
      'other signature': `${header}.${payload}.AAAA`,
      'an access token': await provider.forge({ ...person() }, { typ: 'at+jwt' }),
      'e-mail not verified': await provider.idToken(person({ email_verified: false })),
      'e-mail verified, said in words': await provider.forge({ ...person(), email_verified: 'true' }),
      'no e-mail': await provider.idToken(person({ email: undefined })),
      'free e-mail': await provider.idToken(person({ email: 'ana@gmail.com' })),
      'no subject': await provider.forge({ ...person(), sub: '' }),
      'a subject that cannot be kept': await provider.forge({ ...person(), sub: 'a\0b' }),
    };
    for (const [what, token] of Object.entries(all)) {
      expect([what, refusal(await me(app, token))]).toEqual([what, '401 token_invalid']);
    }
    expect(await count()).toBe(before);
    expect((await me(app, valid)).status).toBe(200);
  });

  it.each([
    ['made for another party', { azp: 'another' }],
    ['made for another party, for our eyes too', { aud: [AUDIENCE, 'another'], azp: 'another' }],
    ['for several audiences without a word for whom', { aud: [AUDIENCE, 'another'] }],
    ['a party that is no text', { azp: 7 }],
    ['issued in the future', { iat: 120 }],
    ['issued at no time', { iat: 'now' }],
    ['an access token of Keycloak', { typ: 'Bearer' }],
    ['a refresh token of Keycloak', { typ: 'Refresh' }],
    ['an access token of Cognito', { token_use: 'access' }],
    ['a type that is no text', { typ: ['ID'] }],
    ['a logout token', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }],
  ])('token_invalid for a token %s', async (_what, { iat, ...claims }: { iat?: unknown; [claim: string]: unknown }) => {
    const now = Math.floor(Date.now() / 1_000);
    const issuedAt = typeof iat === 'number' ? now + iat : (iat ?? now);
    const token = await provider.forge({ ...person(), ...claims, iat: issuedAt as number });
    expect(refusal(await me(app, token))).toBe('401 token_invalid');
  });

  it.each(['at+jwt', 'application/at+jwt', 'AT+JWT', 'logout+jwt', 'secevent+jwt'])(
    'token_invalid for the type %s',
    async (typ) => {
      expect(refusal(await me(app, await provider.forge({ ...person() }, { typ })))).toBe('401 token_invalid');
    },
  );

  it('token_expired after a day, whatever its own expiry', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const issued = (ago: number) => provider.forge({ ...person(), iat: now - ago, exp: now + 3_600 });
    expect(refusal(await me(app, await issued(86_400 + 60)))).toBe('401 token_expired');
    expect((await me(app, await issued(86_400 - 60))).status).toBe(200);
  });

  it('token_expired', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const old = await provider.forge({ ...person(), iat: now - 600, exp: now - 1 });
    expect(refusal(await me(app, old))).toBe('401 token_expired');
  });

  it('token_invalid on a deployment without a provider', async () => {
    const without = await startApp({ database: app.database });
    try {
      expect(refusal(await me(without, await provider.idToken(person())))).toBe('401 token_invalid');
    } finally {
      await without.close();
    }
  });
});

describe('403', () => {
  it('for a paused client', async () => {
    const token = await provider.idToken(person());
    await setStatus(app, (await me(app, token)).body.id, 'PAUSED');
    expect(refusal(await me(app, token))).toBe('403 account_inactive');
  });
});

describe('503', () => {
  it('while the provider is down; requests that need no provider succeed, and the others do when it is back', async () => {
    const downKey = await newProviderKey('down');
    const gone = await startIdentityProvider({ key: downKey });
    const token = await gone.idToken(person());
    await gone.close();
    const env = { OIDC_ISSUER: JSON.stringify([gone.issuer, provider.issuer]), OIDC_AUDIENCE: AUDIENCE };
    const instance = await startApp({ env, database: app.database });
    try {
      const refused = await me(instance, token);
      expect(refusal(refused)).toBe('503 unavailable');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      const { email } = await signUp(instance);
      expect((await me(instance, (await logIn(instance, email)).token)).status).toBe(200);
      expect((await me(instance, await provider.idToken(person()))).status).toBe(200);
    } finally {
      await instance.close();
    }
  });
});

describe('the keys of a provider', () => {
  const verifier = (issuer: string, refetchMs: number) =>
    createOidcProviders({ providers: [{ issuer, audience: AUDIENCE }], refetchMs });

  it('are fetched once for many tokens, and once again for unknown key ids', async () => {
    const oidc = verifier(provider.issuer, 60_000);
    const before = provider.keyFetches();
    const tokens = await Promise.all(Array.from({ length: 5 }, () => provider.idToken(person())));
    await Promise.all(tokens.map((token) => oidc.verify(provider.issuer, token)));
    expect(provider.keyFetches() - before).toBe(1);
    for (let i = 0; i < 5; i += 1) {
      const unknown = await provider.forge({ ...person() }, { kid: `unknown-${i}` });
      await expect(oidc.verify(provider.issuer, unknown)).rejects.toMatchObject({ code: 'token_invalid' });
    }
    expect(provider.keyFetches() - before).toBe(1);
  });

  it('may be rotated', async () => {
    const old = await startIdentityProvider({ key: await newProviderKey('old') });
    const oidc = verifier(old.issuer, 0);
    await oidc.verify(old.issuer, await old.idToken(person()));
    await old.close();
    const rotated = await startIdentityProvider({ key: await newProviderKey('new'), port: old.port });
    try {
      await expect(oidc.verify(old.issuer, await rotated.idToken(person()))).resolves.toMatchObject({
        emailVerified: true,
      });
    } finally {
      await rotated.close();
    }
  });

  it('stay cached while the provider is down, and are fetched when a provider that was down at first is up', async () => {
    const downKey = await newProviderKey('k');
    const first = await startIdentityProvider({ key: downKey });
    const early = verifier(first.issuer, 0);
    const late = verifier(first.issuer, 0);
    const token = await first.idToken(person());
    await early.verify(first.issuer, token);
    await first.close();
    await expect(early.verify(first.issuer, token)).resolves.toMatchObject({ issuer: first.issuer });
    await expect(late.verify(first.issuer, token)).rejects.toMatchObject({ code: 'unavailable' });
    const again = await startIdentityProvider({ key: downKey, port: first.port });
    try {
      await expect(late.verify(first.issuer, token)).resolves.toMatchObject({ issuer: first.issuer });
    } finally {
      await again.close();
    }
  });
});
