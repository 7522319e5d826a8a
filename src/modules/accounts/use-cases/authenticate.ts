import { AppError } from '../../../kernel/errors.ts';
import { ROLE_OF_API_KEY } from '../../../kernel/member-rights.ts';
import { createBatchedLookup } from '../../../platform/shared/batched-lookup.ts';
import type { Caller, Credentials } from '../../../platform/shared/caller.ts';
import { CLIENTS_OF_API_KEYS, MEMBERS_OF_SESSIONS } from '../queries/bearers.ts';
import type { ClientStatus } from '../tables/client.ts';
import { isInactive } from './account.ts';
import type { AccountDeps } from './deps.ts';
import { findOrCreateByIdentity } from './find-or-create-by-identity.ts';
import type { KeyUses } from './key-uses.ts';
import { API_KEY_PREFIX, hashToken } from './opaque-token.ts';

/** Reads the issuer of a JWT before the JWT is verified, so it says only who has to verify it. */
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

type Deps = Pick<AccountDeps, 'db' | 'accessTokens' | 'identityProviders' | 'isPersonalDomain' | 'passwords'> & {
  readonly keyUses: Pick<KeyUses, 'note'>;
};

/** Finds the client of a bearer, and its member. The format of the bearer shows its kind, so that one query is enough. */
export const authenticate = (deps: Deps) => {
  const { accessTokens, identityProviders } = deps;
  const memberOfSession = createBatchedLookup(
    (sessionIds) => deps.db.runUnscoped(MEMBERS_OF_SESSIONS, { sessionIds }),
    ({ key }) => key,
  );
  const clientOfApiKey = createBatchedLookup(
    (keyHashes) => deps.db.runUnscoped(CLIENTS_OF_API_KEYS, { keyHashes }),
    ({ key }) => key,
  );

  async function find(bearer: string, ip: string): Promise<{ caller: Caller; status: ClientStatus }> {
    if (bearer.startsWith(API_KEY_PREFIX)) {
      const client = await clientOfApiKey(hashToken(bearer));
      if (client === undefined) throw new AppError('token_invalid');
      if (client.useIsOld) deps.keyUses.note(client.key, client.id);
      return {
        caller: { clientId: client.id, kind: 'api_key', role: ROLE_OF_API_KEY, member: null },
        status: client.status,
      };
    }
    const issuer = claimedIssuer(bearer);
    if (issuer === accessTokens.issuer) {
      const { clientId, sessionId } = accessTokens.read(bearer);
      const found = await memberOfSession(sessionId);
      if (found?.id !== clientId) throw new AppError('token_invalid');
      const { role, memberId, memberName, status } = found;
      const member = { id: memberId, name: memberName };
      return { caller: { clientId, kind: 'session', role, member, sessionId }, status };
    }
    if (issuer === undefined || !identityProviders.knows(issuer)) throw new AppError('token_invalid');
    const proven = await identityProviders.verify(issuer, bearer);
    const { clientId, id, name, role, status } = await findOrCreateByIdentity(deps, proven, ip);
    return { caller: { clientId, kind: 'identity', role, member: { id, name } }, status };
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
