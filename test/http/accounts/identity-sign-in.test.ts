import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAesGcmCipher } from '../../../src/platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import { type App, SECRETS, startApp } from '../../../testing/app.ts';
import {
  AUDIENCE,
  type IdentityProvider,
  newProviderKey,
  type ProviderKey,
  PUBLIC_CLIENT,
  startIdentityProvider,
} from '../../../testing/identity-provider.ts';
import { confirmAddress, me, newEmail, refusal, setStatus, signUp } from './accounts.ts';
import { fromPage, renew } from './browser-sessions.ts';

const PUBLIC_URL = 'http://console.localhost';
const CALLBACK = `${PUBLIC_URL}/api/session/identity/callback`;
let key: ProviderKey;
let provider: IdentityProvider;
let app: App;
beforeAll(async () => {
  key = await newProviderKey('first');
  provider = await startIdentityProvider({ key, redirectUri: CALLBACK });
  app = await startApp({
    env: { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: AUDIENCE, OIDC_CLIENT_SECRET: 'front', PUBLIC_URL },
  });
});
afterAll(async () => {
  await app?.close();
  await provider?.close();
});

const person = (change: object = {}) => ({
  sub: randomUUID(),
  email: newEmail(),
  email_verified: true,
  name: 'Padaria Sol',
  ...change,
});

/** A browser that keeps cookies by site. */
function newBrowser(on: App = app) {
  const jar = new Map<string, Map<string, string>>();
  const seen: { readonly url: string; readonly status: number; readonly cookies: readonly string[] }[] = [];

  async function request(url: string): Promise<string | null> {
    const { origin } = new URL(url);
    const cookies = jar.get(origin) ?? new Map<string, string>();
    jar.set(origin, cookies);
    const address = url.replace(PUBLIC_URL, on.url);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
    await response.text();
    for (const set of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = set.split('; ');
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      const gone = attributes.some((one) => one === 'Max-Age=0' || /^expires=Thu, 01 Jan 1970/i.test(one));
      if (gone) cookies.delete(name);
      else cookies.set(name, value);
    }
    seen.push({ url, status: response.status, cookies: response.headers.getSetCookie() });
    const location = response.headers.get('location');
    return location === null ? null : new URL(location, url).href;
  }

  return {
    seen,
    request,
    cookie: (name: string) => jar.get(PUBLIC_URL)?.get(name),
    forget: (name: string) => jar.get(PUBLIC_URL)?.delete(name),
    keep: (name: string, value: string) => jar.get(PUBLIC_URL)?.set(name, value),
    /** Follows redirects to the first page that is neither the provider's nor a route of the session. */
    async signIn(query = '', until = (url: string) => url.startsWith(PUBLIC_URL) && !url.startsWith(CALLBACK)) {
      let next = await request(`${PUBLIC_URL}/api/session/identity${query}`);
      for (let steps = 0; next !== null && !until(next) && steps < 10; steps += 1) next = await request(next);
      return next?.replace(PUBLIC_URL, '') ?? null;
    },
  };
}

const isCallback = (url: string): boolean => url.startsWith(CALLBACK);
const sessionOf = (browser: ReturnType<typeof newBrowser>) => `quita_session=${browser.cookie('quita_session')}`;

it('GET /api/console names issuer and client, and no secret', async () => {
  const { body } = await app.get<{ identity: unknown }>('/api/console');
  expect(body.identity).toEqual({ issuer: provider.issuer, clientId: AUDIENCE });
});

describe('a sign-in at the identity provider', () => {
  it('opens a session of the console for a new client, and finds it again', async () => {
    const who = person();
    provider.nextPerson(who);
    const browser = newBrowser();
    expect(await browser.signIn()).toBe('/');
    const session = await renew(app, sessionOf(browser));
    expect(session.body.client).toMatchObject({ name: 'Padaria Sol', email: who.email, status: 'ACTIVE' });
    expect((await me(app, session.body.token)).status).toBe(200);

    const again = newBrowser();
    expect(await again.signIn('?remember=true')).toBe('/');
    expect((await renew(app, sessionOf(again))).body.client.id).toBe(session.body.client.id);
    const audit = await app.get<{ items: { actor: string; action: string }[] }>('/api/audit', session.body.token);
    expect(audit.body.items.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      'identity_provider login',
      'identity_provider login',
      'identity_provider identity_linked',
    ]);
    expect((await fromPage(app, 'DELETE', '/api/session', { cookie: sessionOf(browser) })).status).toBe(204);
    expect(refusal(await me(app, session.body.token))).toBe('401 token_invalid');
  });

  it('sends state, nonce and the hash of a verifier, which the browser keeps for ten minutes for these routes only', async () => {
    provider.nextPerson(person());
    const browser = newBrowser();
    await browser.signIn('?remember=true');
    const [begun, asked] = browser.seen;
    expect(begun!.status).toBe(302);
    const { origin, searchParams } = new URL(asked!.url);
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: AUDIENCE,
      response_type: 'code',
      redirect_uri: CALLBACK,
      code_challenge_method: 'S256',
      scope: 'openid email profile',
    });
    const [kept, ...attributes] = begun!.cookies[0]!.split('; ');
    expect(attributes).toEqual(['Max-Age=600', 'Path=/api/session/identity', 'HttpOnly', 'SameSite=Lax']);
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/);
      expect(kept).not.toContain(searchParams.get(name));
    }
    const finished = browser.seen.at(-1)!;
    expect(finished.status).toBe(303);
    const [session, forgotten] = finished.cookies;
    expect(session).toMatch(
      /^quita_session=[\w-]{43}; Max-Age=2592000; Path=\/api\/session; HttpOnly; SameSite=Strict$/,
    );
    expect(forgotten).toMatch(/^quita_sign_in=; Max-Age=0; /);
    expect(browser.cookie('quita_sign_in')).toBeUndefined();
    const secrets = [new URL(finished.url).searchParams.get('code')!, searchParams.get('state')!, kept!.split('=')[1]!];
    for (const secret of [...secrets, browser.cookie('quita_session')!]) expect(app.logText()).not.toContain(secret);
  });

  it('works for a client without a secret, whose id is not the audience of the API', async () => {
    const env = { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: AUDIENCE, OIDC_CLIENT_ID: PUBLIC_CLIENT, PUBLIC_URL };
    const other = await startApp({ database: app.database, env });
    try {
      provider.nextPerson(person());
      const browser = newBrowser(other);
      expect(await browser.signIn()).toBe('/');
      expect((await renew(other, sessionOf(browser))).status).toBe(200);
    } finally {
      await other.close();
    }
  });
});

describe('no session is opened', () => {
  const expectRefused = (browser: ReturnType<typeof newBrowser>, place: string | null, reason: string) => {
    expect(place).toBe(`/entrar?erro=${reason}`);
    expect(browser.cookie('quita_session')).toBeUndefined();
    expect(browser.cookie('quita_sign_in')).toBeUndefined();
  };
  const refusedFor = async (who: Parameters<IdentityProvider['nextPerson']>[0], reason: string) => {
    provider.nextPerson(who);
    const browser = newBrowser();
    expectRefused(browser, await browser.signIn(), reason);
  };

  it('when the person does not agree', () => refusedFor(null, 'sign_in_denied'));
  it('for a personal e-mail address', () => refusedFor(person({ email: 'ana@gmail.com' }), 'email_not_corporate'));
  it('for an address that the provider has not verified', () =>
    refusedFor(person({ email_verified: false }), 'email_unverified'));

  it('for an address that belongs to another account, confirmed or not', async () => {
    const confirmed = await signUp(app);
    await confirmAddress(app, confirmed.id);
    await refusedFor(person({ email: confirmed.email }), 'identity_not_linked');
    const unconfirmed = await signUp(app);
    await refusedFor(person({ email: unconfirmed.email }), 'identity_not_linked');
    expect(refusal(await me(app, unconfirmed.token))).toBe('401 token_invalid');
  });

  it('for a paused client', async () => {
    const who = person();
    provider.nextPerson(who);
    const browser = newBrowser();
    await browser.signIn();
    await setStatus(app, (await renew(app, sessionOf(browser))).body.client.id, 'PAUSED');
    await refusedFor(who, 'account_inactive');
  });

  it('when another state comes back, and the code is not used', async () => {
    provider.nextPerson(person());
    const browser = newBrowser();
    const place = new URL(`${PUBLIC_URL}${await browser.signIn('', isCallback)}`);
    const good = place.href;
    place.searchParams.set('state', 'x'.repeat(43));
    const kept = browser.cookie('quita_sign_in')!;
    expectRefused(browser, (await browser.request(place.href))!.replace(PUBLIC_URL, ''), 'sign_in_expired');
    browser.keep('quita_sign_in', kept);
    expect(await browser.request(good)).toBe(`${PUBLIC_URL}/`);
  });

  it('in a browser that did not begin the sign-in, or whose cookie was changed', async () => {
    provider.nextPerson(person());
    const browser = newBrowser();
    const place = `${PUBLIC_URL}${await browser.signIn('', isCallback)}`;
    const stranger = newBrowser();
    const arrived = await stranger.request(place);
    expectRefused(stranger, arrived!.replace(PUBLIC_URL, ''), 'sign_in_expired');
    const kept = browser.cookie('quita_sign_in')!;
    browser.keep('quita_sign_in', `${kept.slice(0, -2)}AA`);
    expectRefused(browser, (await browser.request(place))!.replace(PUBLIC_URL, ''), 'sign_in_expired');
  });

  it('after ten minutes', async () => {
    provider.nextPerson(person());
    const browser = newBrowser();
    const place = `${PUBLIC_URL}${await browser.signIn('', isCallback)}`;
    const cipher = createAesGcmCipher([SECRETS['ENCRYPTION_KEY']!]);
    const context = 'sign-in at the identity provider';
    const begun = JSON.parse(cipher.open(browser.cookie('quita_sign_in')!, context)) as { until: number };
    expect((begun.until - Date.now()) / 60_000).toBeCloseTo(10, 0);
    browser.keep('quita_sign_in', cipher.seal(JSON.stringify({ ...begun, until: Date.now() - 1 }), context));
    expectRefused(browser, (await browser.request(place))!.replace(PUBLIC_URL, ''), 'sign_in_expired');
  });

  it('by a callback that is sent again', async () => {
    provider.nextPerson(person());
    const browser = newBrowser();
    const place = `${PUBLIC_URL}${await browser.signIn('', isCallback)}`;
    const kept = browser.cookie('quita_sign_in')!;
    expect(await browser.request(place)).toBe(`${PUBLIC_URL}/`);
    browser.forget('quita_session');
    expectRefused(browser, (await browser.request(place))!.replace(PUBLIC_URL, ''), 'sign_in_expired');
    // A thief of the cookie has no use for it either, because the provider takes a code once.
    browser.keep('quita_sign_in', kept);
    expectRefused(browser, (await browser.request(place))!.replace(PUBLIC_URL, ''), 'sign_in_expired');
  });

  it('when the provider is down at the start of the service, and later ones work when it is back', async () => {
    const { port } = provider;
    await provider.close();
    const env = { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: AUDIENCE, OIDC_CLIENT_SECRET: 'front', PUBLIC_URL };
    const other = await startApp({ database: app.database, env });
    try {
      const browser = newBrowser(other);
      expectRefused(browser, await browser.signIn(), 'unavailable');
      provider = await startIdentityProvider({ key, port, redirectUri: CALLBACK });
      provider.nextPerson(person());
      await new Promise((resolve) => setTimeout(resolve, 2_100));
      expect(await browser.signIn()).toBe('/');

      const place = `${PUBLIC_URL}${await browser.signIn('', isCallback)}`;
      browser.forget('quita_session');
      await provider.close();
      expectRefused(browser, (await browser.request(place))!.replace(PUBLIC_URL, ''), 'unavailable');
      provider = await startIdentityProvider({ key, port, redirectUri: CALLBACK });
    } finally {
      await other.close();
    }
  });

  it('without a configured provider, and nothing redirects', async () => {
    const other = await startApp({ database: app.database });
    try {
      expect(refusal(await other.get('/api/session/identity'))).toBe('404 not_found');
      expect(refusal(await other.get('/api/session/identity/callback?code=x&state=y'))).toBe('404 not_found');
    } finally {
      await other.close();
    }
  });
});
