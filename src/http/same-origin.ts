import { AppError } from '../domain/errors.ts';
import type { RouteRequest } from './define-route.ts';

/**
 * Refuses posts that a page of another site sent by a browser. Under `Referrer-Policy: no-referrer` browsers send
 * `Origin: null` for the forms of our own pages, and `Sec-Fetch-Site` then tells whether the page was ours.
 */
export function requireSameOrigin({ headers }: RouteRequest, publicUrl: string): void {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (origin === undefined || origin === 'null') {
    if (site === 'same-origin') return;
  } else if (origin === new URL(publicUrl).origin || hostOf(origin) === host) return;
  throw new AppError('origin_refused');
}

/**
 * Refuses what a browser sent for a page of another site. A call with neither header comes from no browser of today, which
 * all send one of them with such a call, so nobody's cookie can be used by it unknowingly.
 */
export function refuseOtherOrigins(request: RouteRequest, publicUrl: string): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin === undefined && site === undefined) return;
  requireSameOrigin(request, publicUrl);
}

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);
