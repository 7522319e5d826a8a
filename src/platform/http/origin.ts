import { AppError } from '../../kernel/errors.ts';
import type { Caller } from '../shared/caller.ts';
import { rateKey } from './client-ip.ts';
import type { RouteRequest } from './define-route.ts';

/** Longer ones tell no more of a browser. */
const MAX_USER_AGENT = 300;

/** The origin of a request for the use cases. */
export const originOf = ({ ip, headers }: RouteRequest) => ({
  ip,
  rateKey: rateKey(ip),
  userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null,
});

const CALLER_NAMES = { session: 'session', api_key: 'api_key', identity: 'identity_provider' } as const;

/** Caller and address of a request for the audit log. */
export const sourceOf = ({ kind }: Caller, { ip }: RouteRequest) => ({ ip, by: CALLER_NAMES[kind] });

/** The member that calls a route which takes no API key. */
export function memberOf({ clientId, member }: Caller): { readonly clientId: string; readonly memberId: string } {
  if (member === null) throw new AppError('access_token_required');
  return { clientId, memberId: member.id };
}

/** The member in its session, or the API key, that calls a route which takes both. */
export const memberOrApiKeyOf = ({ clientId, member, sessionId, apiKeyHash = '' }: Caller) =>
  member === null ? { clientId, memberId: null, apiKeyHash } : { clientId, memberId: member.id, sessionId };
