import { rateKey } from './client-ip.ts';
import type { RouteRequest } from './guard.ts';

/** What services are told of where a request comes from. */
export const originOf = ({ ip }: RouteRequest) => ({ ip, rateKey: rateKey(ip) });
