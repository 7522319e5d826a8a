import type { ClientStatus } from '../../db/entities/client.ts';
import { AppError } from '../../domain/errors.ts';
import type { ServiceDeps } from '../deps.ts';
import { createBatchedLookup } from '../shared/batched-lookup.ts';
import { isInactive } from './account.ts';
import { findOrCreateByIdentity } from './find-or-create-by-identity.ts';
import { KEY_USE_HOURS, type KeyUses } from './key-uses.ts';
import { API_KEY_PREFIX, hashToken } from './opaque-token.ts';

interface Credentials {
  readonly authorization: string | undefined;
  readonly ip: string;
}

interface Caller {
  readonly clientId: string;
  readonly kind: 'session' | 'api_key' | 'identity';
  readonly sessionId?: string;
}

interface Found {
  readonly key: string;
  readonly id: string;
  readonly status: ClientStatus;
}

interface FoundByKey extends Found {
  readonly useIsOld: boolean;
}

// Every request of a client asks one of these: one message to the server, for all that ask at once.
const BY_SESSION = {
  name: 'authenticate_sessions',
  text: 'select key, id, status from session_clients($1)',
};

// It sets its scope, signed, for its own transaction, before it reads; `offset 0` keeps the reading in its place, and
// were it ever done first, row security would show it nothing.
const BY_API_KEY = {
  name: 'authenticate_api_keys',
  text: `
    select found.* from set_config('app.auth', $2, true) as scope (auth) cross join lateral (
      select api_keys.key_hash as key, clients.id, clients.status,
        last_used_at is null or last_used_at < now() - interval '${KEY_USE_HOURS} hour' as "useIsOld"
      from api_keys join clients on clients.id = api_keys.client_id
      where api_keys.key_hash = any ($1::text[]) and api_keys.revoked_at is null and scope.auth <> '' offset 0
    ) as found`,
};

/** Of a JWT that nobody has verified yet: it says only who would have to. */
function claimedIssuer(token: string): string | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(parts[1]!, 'base64url').toString());
    const issuer = typeof claims === 'object' && claims !== null && 'iss' in claims ? claims.iss : undefined;
    return typeof issuer === 'string' ? issuer : undefined;
  } catch {
    return undefined;
  }
}

type Deps = Pick<ServiceDeps, 'db' | 'accessTokens' | 'identityProviders' | 'isPersonalDomain' | 'passwords'> & {
  readonly keyUses: Pick<KeyUses, 'note'>;
};

/** Who a bearer is. Its look tells which kind it is, and one query the rest. */
export const authenticate = (deps: Deps) => {
  const { accessTokens, identityProviders } = deps;
  const signed = deps.db.signScope('app.auth', 'on');
  const clientOfSession = createBatchedLookup<Found>(deps.db, BY_SESSION, (ids) => [ids]);
  const clientOfApiKey = createBatchedLookup<FoundByKey>(deps.db, BY_API_KEY, (hashes) => [hashes, signed]);

  async function find(bearer: string, ip: string): Promise<{ caller: Caller; status: ClientStatus }> {
    if (bearer.startsWith(API_KEY_PREFIX)) {
      const client = await clientOfApiKey(hashToken(bearer));
      if (client === undefined) throw new AppError('token_invalid');
      if (client.useIsOld) deps.keyUses.note(client.key, client.id);
      return { caller: { clientId: client.id, kind: 'api_key' }, status: client.status };
    }
    const issuer = claimedIssuer(bearer);
    if (issuer === accessTokens.issuer) {
      const { clientId, sessionId } = accessTokens.read(bearer);
      const client = await clientOfSession(sessionId);
      if (client?.id !== clientId) throw new AppError('token_invalid');
      return { caller: { clientId, kind: 'session', sessionId }, status: client.status };
    }
    if (issuer === undefined || !identityProviders.knows(issuer)) throw new AppError('token_invalid');
    const client = await findOrCreateByIdentity(deps, await identityProviders.verify(issuer, bearer), ip);
    return { caller: { clientId: client.id, kind: 'identity' }, status: client.status };
  }

  return async ({ authorization, ip }: Credentials, kind: 'bearer' | 'jwt'): Promise<Caller> => {
    const bearer = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (bearer === undefined) throw new AppError('unauthenticated');
    if (kind === 'jwt' && bearer.startsWith(API_KEY_PREFIX)) throw new AppError('access_token_required');
    const { caller, status } = await find(bearer, ip);
    if (isInactive(status)) throw new AppError('account_inactive');
    return caller;
  };
};
