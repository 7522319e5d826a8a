import { rateKey } from './client-ip.ts';
import type { Caller } from './deps.ts';
import type { RouteRequest } from './guard.ts';

/** What services are told of where a request comes from. */
export const originOf = ({ ip }: RouteRequest) => ({ ip, rateKey: rateKey(ip) });

const BY = { session: 'session', api_key: 'api_key', identity: 'identity_provider' } as const;

/** What the audit log is told of who calls, and from where. */
export const sourceOf = ({ kind }: Caller, { ip }: RouteRequest) => ({ ip, by: BY[kind] });
