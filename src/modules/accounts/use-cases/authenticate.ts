import { AppError } from '../../../kernel/errors.ts';
import { ROLE_OF_API_KEY } from '../../../kernel/member-rights.ts';
import { createBatchedLookup } from '../../../platform/shared/batched-lookup.ts';
import type { Caller, Credentials } from '../../../platform/shared/caller.ts';
import type { ProvenIdentity } from '../ports/identity-providers.ts';
import { CLIENTS_OF_API_KEYS, MEMBERS_OF_SESSIONS } from '../queries/bearers.ts';
import { STEP_UP_MINUTES } from '../rules/second-factor.ts';
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

type Deps = Pick<
  AccountDeps,
  | 'db'
  | 'accessTokens'
  | 'identityProviders'
  | 'isPersonalDomain'
  | 'singleClient'
  | 'passwords'
  | 'releaseCases'
  | 'disconnectAll'
> & {
  readonly keyUses: Pick<KeyUses, 'note'>;
};

const NEEDS_MORE = 'The identity provider says of this token only that a password was asked for.';

/** A token of an identity provider counts as a second factor when the provider says so, and as a step-up when that was lately. */
function factorOf(
  { provesFactor, askedSecondsAgo }: ProvenIdentity,
  { hasFactor, needsFactor }: { readonly hasFactor: boolean; readonly needsFactor: boolean },
): Pick<Caller, 'lacksFactor' | 'needsStepUp'> {
  if (hasFactor && !provesFactor) throw new AppError('second_factor_required', { detail: NEEDS_MORE });
  const isLate = askedSecondsAgo === null || askedSecondsAgo > STEP_UP_MINUTES * 60;
  return { lacksFactor: needsFactor && !hasFactor && !provesFactor, needsStepUp: hasFactor && isLate };
}

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
        caller: { clientId: client.id, kind: 'api_key', role: ROLE_OF_API_KEY, member: null, apiKeyHash: client.key },
        status: client.status,
      };
    }
    const issuer = claimedIssuer(bearer);
    if (issuer === accessTokens.issuer) {
      const { clientId, sessionId } = accessTokens.read(bearer);
      const found = await memberOfSession(sessionId);
      if (found?.id !== clientId) throw new AppError('token_invalid');
      const { role, memberId, memberName, status, lacksFactor } = found;
      const member = { id: memberId, name: memberName };
      const needsStepUp = found.hasFactor && !found.steppedUp;
      return { caller: { clientId, kind: 'session', role, member, sessionId, lacksFactor, needsStepUp }, status };
    }
    if (issuer === undefined || !identityProviders.knows(issuer)) throw new AppError('token_invalid');
    const proven = await identityProviders.verify(issuer, bearer);
    const { clientId, id, name, role, status, ...asked } = await findOrCreateByIdentity(deps, proven, ip);
    return { caller: { clientId, kind: 'identity', role, member: { id, name }, ...factorOf(proven, asked) }, status };
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
