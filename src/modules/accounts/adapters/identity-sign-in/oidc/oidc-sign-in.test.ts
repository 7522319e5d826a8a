import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { IdentitySignIn } from '../../../ports/identity-sign-in.ts';
import { createOidcProviders } from '../../identity-providers/oidc/oidc-providers.ts';
import { createOidcSignIn } from './oidc-sign-in.ts';

type Content = string | Record<string, unknown>;

let server: Server;
let issuer: string;
/** What the provider answers for each path; null: nothing at all. */
let answers: Record<string, Content | null>;
let asked: { readonly path: string; readonly authorization: string | undefined; readonly body: string }[];
let discovery: Record<string, unknown>;
let key: CryptoKey;

const read = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

beforeEach(async () => {
  server = createServer(async (request, response) => {
    const path = request.url ?? '';
    asked.push({ path, authorization: request.headers.authorization, body: await read(request) });
    const answer = answers[path];
    if (answer === null) return;
    if (answer === undefined) response.statusCode = 404;
    response.setHeader('content-type', 'application/json');
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pair = await generateKeyPair('RS256', { extractable: true });
  key = pair.privateKey;
  discovery = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    id_token_signing_alg_values_supported: ['RS256'],
  };
  asked = [];
  answers = {
    '/.well-known/openid-configuration': discovery,
    '/jwks': { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', use: 'sig', alg: 'RS256' }] },
  };
});
afterEach(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);

const signInWith = (clientSecret?: string): IdentitySignIn =>
  createOidcSignIn({
    issuer,
    clientId: 'console',
    clientSecret,
    redirectUri: 'https://quita.example/callback',
    verify: createOidcProviders({ providers: [{ issuer, audience: 'api' }] }).verify,
    timeoutSeconds: 0.3,
  });

const tokenAnswer = async (claims: object, signedWith = key): Promise<Content> => ({
  access_token: 'a',
  token_type: 'Bearer',
  id_token: await new SignJWT({ email: 'ana@escola.com.br', email_verified: true, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setSubject('ana')
    .setIssuer(issuer)
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(signedWith),
});

/** Begins a sign-in and comes back with a code and this ID token. */
async function comeBack(signIn: IdentitySignIn, claims: object = {}, signedWith = key) {
  const { secrets } = await signIn.begin();
  answers['/token'] = await tokenAnswer({ aud: 'console', nonce: secrets.nonce, ...claims }, signedWith);
  return signIn.finish(`code=c&state=${secrets.state}`, secrets);
}

describe('the sign-in at an OpenID provider', () => {
  it('exchanges the code with the verifier and returns the proven identity', async () => {
    const identity = await comeBack(signInWith());
    expect(identity).toEqual({
      issuer,
      subject: 'ana',
      email: 'ana@escola.com.br',
      emailVerified: true,
      name: null,
      provesFactor: false,
      askedSecondsAgo: null,
    });
    const exchange = asked.find(({ path }) => path === '/token')!;
    expect(exchange.authorization).toBeUndefined();
    expect(new URLSearchParams(exchange.body).get('code_verifier')).toMatch(/^[\w-]{43}$/);
    expect(new URLSearchParams(exchange.body).get('client_id')).toBe('console');
  });

  it.each([
    ['by the header, which is the default', undefined, `Basic ${btoa('console:se%3Acret')}`, null],
    ['in the body, when the provider takes no other way', ['client_secret_post'], undefined, 'se:cret'],
  ])('sends the secret %s', async (_, methods, header, inBody) => {
    if (methods !== undefined) discovery['token_endpoint_auth_methods_supported'] = methods;
    await comeBack(signInWith('se:cret'));
    const exchange = asked.find(({ path }) => path === '/token')!;
    expect(exchange.authorization).toBe(header);
    expect(new URLSearchParams(exchange.body).get('client_secret')).toBe(inBody);
  });

  it('refuses an ID token of another key, audience, nonce or sign-in', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    await expect(comeBack(signInWith(), {}, privateKey)).rejects.toMatchObject({ reason: 'token_invalid' });
    for (const claims of [{ aud: 'api' }, { nonce: 'another' }, { aud: ['console', 'other'] }]) {
      await expect(comeBack(signInWith(), claims)).rejects.toMatchObject({ reason: 'token_invalid' });
    }
    const signIn = signInWith();
    const { secrets } = await signIn.begin();
    const before = asked.length;
    for (const query of ['code=c', 'code=c&state=other', `error=access_denied&state=other`, '']) {
      await expect(signIn.finish(query, secrets)).rejects.toMatchObject({ reason: 'sign_in_expired' });
    }
    expect(asked).toHaveLength(before);
  });

  it.each<[string, () => void]>([
    ['is of another issuer', () => Object.assign(discovery, { issuer: 'https://other.example' })],
    ['names an address without https', () => Object.assign(discovery, { token_endpoint: 'http://a.example/token' })],
    ['names no page', () => Object.assign(discovery, { authorization_endpoint: 'javascript:alert(1)' })],
    ['is too large', () => Object.assign(discovery, { filler: 'x'.repeat(300_000) })],
    ['is no JSON', () => Object.assign(answers, { '/.well-known/openid-configuration': '<html>' })],
    ['never arrives', () => Object.assign(answers, { '/.well-known/openid-configuration': null })],
  ])('is unavailable when the description of the provider %s', async (_, change) => {
    change();
    await expect(signInWith().begin()).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('is unavailable when the exchange fails or hangs, and the error contains nothing that the provider sent', async () => {
    const signIn = signInWith('secret');
    const { secrets } = await signIn.begin();
    for (const answer of [null, 'x'.repeat(300_000), { error: 'secret of the provider' }]) {
      answers['/token'] = answer;
      const failure: unknown = await signIn.finish(`code=c0de&state=${secrets.state}`, secrets).catch((error) => error);
      expect(failure).toMatchObject({ reason: 'unavailable' });
      const shown = JSON.stringify([String(failure), String((failure as Error).cause)]);
      for (const secret of ['c0de', secrets.state, 'secret']) expect(shown).not.toContain(secret);
    }
  });
});
