import type { CustomFetch } from 'openid-client';
import * as oidc from 'openid-client';
import { AppError } from '../../../../../kernel/errors.ts';
import type { IdentityProviders } from '../../../ports/identity-providers.ts';
import type { IdentitySignIn } from '../../../ports/identity-sign-in.ts';
import { SignInRefused } from '../../../rules/sign-in.ts';

/** Discovery documents and answers with tokens have a few kilobytes. */
const MAX_BYTES = 256 * 1024;

/** Reads at most so much of an answer, within the time of the request. The caller follows no redirects. */
const boundedFetch: CustomFetch = async (url, { body, signal, ...options }) => {
  const init = { ...options, body: body ?? null, ...(signal === undefined ? {} : { signal }) };
  const { status, headers, body: stream } = await fetch(url, init as RequestInit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('the answer of the identity provider is too large');
    chunks.push(chunk);
  }
  const empty = size === 0 || status === 204 || status === 304;
  return new Response(empty ? null : Buffer.concat(chunks), { status, headers });
};

const TIMEOUT_SECONDS = 5;
/** A provider that moves its pages is followed within this time. */
const KNOWN_MS = 600_000;
/** Short, so that a recovered provider is used soon; long enough not to overload a provider that is down. */
const RETRY_FAILED_MS = 2_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface OidcSignInOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Without a secret the proof of the code exchange (PKCE) alone shows that it is the same client. */
  readonly clientSecret: string | undefined;
  readonly redirectUri: string;
  readonly verify: IdentityProviders['verify'];
  readonly timeoutSeconds?: number;
}

const isSafe = (address: string | undefined): boolean => {
  const url = URL.parse(address ?? '');
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname)));
};

/** Providers that name no methods take the one that the standard has by default. */
const authenticationBy = (secret: string | undefined): oidc.ClientAuth => {
  if (secret === undefined) return oidc.None();
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
};

/** The cause has no more than a name, because errors of the library contain what the provider sent. */
function unavailable(error: unknown): SignInRefused {
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  return new SignInRefused('unavailable', new Error(`the identity provider failed: ${String(code ?? name)}`));
}

function refusalOf(error: unknown): SignInRefused {
  if (error instanceof SignInRefused) return error;
  if (error instanceof oidc.AuthorizationResponseError) {
    const isFault = error.error === 'server_error' || error.error === 'temporarily_unavailable';
    return isFault ? unavailable(error) : new SignInRefused('sign_in_denied');
  }
  // The code was used before, or has expired.
  if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') {
    return new SignInRefused('sign_in_expired');
  }
  if (error instanceof oidc.ClientError && error.code?.startsWith('OAUTH_JWT'))
    return new SignInRefused('token_invalid');
  if (error instanceof AppError && error.code !== 'unavailable') return new SignInRefused('token_invalid');
  return unavailable(error);
}

/**
 * Signs in by the authorization code flow with PKCE, state and nonce. The provider is asked about its pages at the first
 * sign-in and not at start, because it may be down then.
 */
export function createOidcSignIn(options: OidcSignInOptions): IdentitySignIn {
  const { issuer, clientId, clientSecret, redirectUri, verify, timeoutSeconds = TIMEOUT_SECONDS } = options;
  let known: { readonly provider: Promise<oidc.Configuration>; readonly until: () => number } | undefined;

  async function discover(): Promise<oidc.Configuration> {
    const provider = await oidc.discovery(new URL(issuer), clientId, undefined, authenticationBy(clientSecret), {
      timeout: timeoutSeconds,
      [oidc.customFetch]: boundedFetch,
      // The configuration accepts an issuer over http on loopback only.
      execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
    });
    const { authorization_endpoint, token_endpoint, issuer: named } = provider.serverMetadata();
    if (named !== issuer) throw new Error('the identity provider names another issuer');
    if (!isSafe(authorization_endpoint) || !isSafe(token_endpoint)) throw new Error('an address is not safe');
    return provider;
  }

  function provider(): Promise<oidc.Configuration> {
    if (known !== undefined && performance.now() < known.until()) return known.provider;
    const began = performance.now();
    let until = began + KNOWN_MS;
    const discovered = discover().catch((error: unknown) => {
      until = performance.now() + RETRY_FAILED_MS;
      throw error;
    });
    known = { provider: discovered, until: () => until };
    return discovered;
  }

  return {
    async begin() {
      const found = await provider().catch((error: unknown) => {
        throw refusalOf(error);
      });
      const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
      const url = oidc.buildAuthorizationUrl(found, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, secrets: { state, nonce, verifier } };
    },

    async finish(query, { state, nonce, verifier }) {
      const url = new URL(redirectUri);
      url.search = query;
      // A callback that the person's own browser did not begin is not passed on to the provider.
      if (url.searchParams.get('state') !== state) throw new SignInRefused('sign_in_expired');
      try {
        const tokens = await oidc.authorizationCodeGrant(await provider(), url, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        // The library leaves the signature to https. It is verified here with all rules for ID tokens.
        return await verify(issuer, tokens.id_token ?? '', clientId);
      } catch (error) {
        throw refusalOf(error);
      }
    },
  };
}
