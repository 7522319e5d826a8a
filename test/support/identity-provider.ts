import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';

export const AUDIENCE = 'quita-front';

export interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

export interface ProviderKey {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}

export async function newProviderKey(kid: string): Promise<ProviderKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  return { privateKey, publicKey, jwk: { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' } };
}

/** An ID token needs no storage, and the library's own store would print a warning about development. */
class ForgetfulStore {
  async upsert(): Promise<void> {}
  async find(): Promise<undefined> {}
  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
  async consume(): Promise<void> {}
  async destroy(): Promise<void> {}
  async revokeByGrantId(): Promise<void> {}
}

/**
 * Starts a real OpenID provider. A custom grant issues ID tokens without a browser; the library does everything else.
 */
export async function startIdentityProvider(options: { readonly key: ProviderKey; readonly port?: number }) {
  const { key } = options;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const grant = 'urn:test:person';
  const provider = new Provider(issuer, {
    jwks: { keys: [key.jwk] },
    clients: [
      {
        client_id: AUDIENCE,
        client_secret: 'front',
        grant_types: [grant],
        response_types: [],
        redirect_uris: [],
      },
    ],
    adapter: ForgetfulStore,
    ttl: { IdToken: 600 },
    features: { devInteractions: { enabled: false } },
    claims: { openid: ['sub', 'email', 'email_verified', 'name'] },
  });
  provider.registerGrantType(
    grant,
    async (ctx) => {
      const person = JSON.parse(String(ctx.oidc.params?.['person'])) as Person;
      const token = new ctx.oidc.provider.IdToken({ ...person }, { ctx });
      token.scope = 'openid';
      ctx.body = { id_token: await token.issue({ use: 'idtoken' }) };
    },
    ['person'],
  );
  let fetches = 0;
  const serve = provider.callback();
  server.on('request', (request, response) => {
    if (request.url === '/jwks') fetches += 1;
    void serve(request, response);
  });

  return {
    issuer,
    port,
    /** The number of times that the keys were fetched. */
    keyFetches: () => fetches,
    async idToken(person: Person): Promise<string> {
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${AUDIENCE}:front`)}` },
        body: new URLSearchParams({ grant_type: grant, person: JSON.stringify(person) }),
      });
      const body = (await response.json()) as { id_token?: string };
      if (body.id_token === undefined) throw new Error(`no ID token: ${JSON.stringify(body)}`);
      return body.id_token;
    },
    /** Signs any claims with the provider's key, as a careless provider would. */
    forge: (claims: JWTPayload, header: { alg?: string; kid?: string; typ?: string } = {}) =>
      new SignJWT({
        iss: issuer,
        aud: AUDIENCE,
        iat: Math.floor(Date.now() / 1_000),
        exp: Math.floor(Date.now() / 1_000) + 60,
        ...claims,
      })
        .setProtectedHeader({ alg: 'RS256', kid: key.jwk.kid ?? '', ...header })
        .sign(key.privateKey),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;
