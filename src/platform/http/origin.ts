import { AppError } from '../../kernel/errors.ts';
import type { Caller } from '../shared/caller.ts';
import { rateKey } from './client-ip.ts';
import type { RouteRequest } from './define-route.ts';

/** The origin of a request for the use cases. */
export const originOf = ({ ip }: RouteRequest) => ({ ip, rateKey: rateKey(ip) });

const CALLER_NAMES = { session: 'session', api_key: 'api_key', identity: 'identity_provider' } as const;

/** Caller and address of a request for the audit log. */
export const sourceOf = ({ kind }: Caller, { ip }: RouteRequest) => ({ ip, by: CALLER_NAMES[kind] });

/** The member that calls a route which takes no API key. */
export function memberOf({ clientId, member }: Caller): { readonly clientId: string; readonly memberId: string } {
  if (member === null) throw new AppError('access_token_required');
  return { clientId, memberId: member.id };
}
