import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
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

interface Stored {
  readonly uid?: string;
  readonly grantId?: string;
  consumed?: number;
}

/** The library's own store would print a warning about development. Each kind of thing has a store. */
class MemoryStore {
  readonly #stored = new Map<string, Stored>();
  async upsert(id: string, payload: Stored): Promise<void> {
    this.#stored.set(id, payload);
  }
  async find(id: string): Promise<Stored | undefined> {
    return this.#stored.get(id);
  }
  async findByUid(uid: string): Promise<Stored | undefined> {
    return [...this.#stored.values()].find((one) => one.uid === uid);
  }
  async findByUserCode(): Promise<undefined> {}
  async consume(id: string): Promise<void> {
    const one = this.#stored.get(id);
    if (one !== undefined) one.consumed = Math.floor(Date.now() / 1_000);
  }
  async destroy(id: string): Promise<void> {
    this.#stored.delete(id);
  }
  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, one] of this.#stored) if (one.grantId === grantId) this.#stored.delete(id);
  }
}

interface ProviderOptions {
  readonly key: ProviderKey;
  readonly port?: number;
  /** Where browsers are sent back to, for the sign-in with a code. */
  readonly redirectUri?: string;
}

/** A public client, which has no secret. */
export const PUBLIC_CLIENT = 'quita-public';

/**
 * Starts a real OpenID provider. A custom grant issues ID tokens without a browser, and the page of the provider signs
 * the person of `nextPerson` in without a question; the library does everything else.
 */
export async function startIdentityProvider(options: ProviderOptions) {
  const { key } = options;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const grant = 'urn:test:person';
  const { redirectUri } = options;
  const flow =
    redirectUri === undefined
      ? { grant_types: [grant], response_types: [], redirect_uris: [] }
      : { grant_types: [grant, 'authorization_code'], response_types: ['code'], redirect_uris: [redirectUri] };
  const people = new Map<string, Person>();
  let next: Person | null = null;
  const provider = new Provider(issuer, {
    jwks: { keys: [key.jwk] },
    clients: [
      { client_id: AUDIENCE, client_secret: 'front', ...flow },
      { client_id: PUBLIC_CLIENT, token_endpoint_auth_method: 'none', ...flow },
    ],
    adapter: MemoryStore,
    cookies: { keys: ['of the tests'] },
    ttl: { IdToken: 600, AuthorizationCode: 60, AccessToken: 60, Grant: 600, Interaction: 600, Session: 600 },
    findAccount: async (_: unknown, accountId: string) => ({ accountId, claims: async () => people.get(accountId) }),
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
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { params } = await provider.interactionDetails(request, response);
    if (next === null) {
      await provider.interactionFinished(request, response, { error: 'access_denied' });
      return;
    }
    people.set(next.sub, next);
    const given = new provider.Grant({ accountId: next.sub, clientId: String(params['client_id']) });
    given.addOIDCScope('openid email profile');
    const consent = { grantId: await given.save() };
    await provider.interactionFinished(request, response, { login: { accountId: next.sub }, consent });
  };
  server.on('request', (request, response) => {
    if (request.url === '/jwks') fetches += 1;
    if (request.url?.startsWith('/interaction/')) void interact(request, response);
    else void serve(request, response);
  });

  return {
    issuer,
    port,
    /** The number of times that the keys were fetched. */
    keyFetches: () => fetches,
    /** Who signs in next; null does not agree to the sign-in. */
    nextPerson: (person: Person | null): void => {
      next = person;
    },
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
