import { AppError } from '../../kernel/errors.ts';
import type { RouteRequest } from './define-route.ts';
import type { HttpConfig } from './deps.ts';

export type OriginRules = Pick<HttpConfig, 'publicUrl' | 'production'>;

/**
 * Refuses posts that a page of another site sent by a browser. Whole origins are compared: the same host over http is
 * another site, which whoever is on the network can invent. Outside production a page may also be opened at an address
 * that `PUBLIC_URL` does not name. Under `Referrer-Policy: no-referrer` browsers send `Origin: null` for the forms of our
 * own pages, and `Sec-Fetch-Site` then tells whether the page was ours.
 */
export function requireSameOrigin({ headers }: Pick<RouteRequest, 'headers'>, rules: OriginRules): void {
  const { origin, host } = headers;
  if (origin === undefined || origin === 'null') {
    if (headers['sec-fetch-site'] === 'same-origin') return;
  } else if (origin === new URL(rules.publicUrl).origin || (!rules.production && origin === `http://${host}`)) return;
  throw new AppError('origin_refused');
}

/**
 * Refuses what a browser sent for a page of another site. A call with neither header comes from no browser of today, which
 * all send one of them with such a call, so nobody's cookie can be used by it unknowingly.
 */
export function refuseOtherOrigins(request: Pick<RouteRequest, 'headers'>, rules: OriginRules): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin === undefined && site === undefined) return;
  requireSameOrigin(request, rules);
}
