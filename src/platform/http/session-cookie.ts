import { type CookieCarrier, comesTwice, OPAQUE_TOKEN, readCookie, securedName, writeCookie } from './cookies.ts';

const PATH = '/api/session';
const nameOf = (publicUrl: string): string => securedName('quita_session', publicUrl);

/** Only the routes of the console's session call this. Every other route takes a bearer. */
export const readSessionCookie = (request: CookieCarrier, publicUrl: string): string | null =>
  readCookie(request, nameOf(publicUrl), OPAQUE_TOKEN);

export const sessionCookie = (
  { cookie, keptSeconds }: { readonly cookie: string; readonly keptSeconds: number | null },
  publicUrl: string,
): string => writeCookie(nameOf(publicUrl), cookie, { path: PATH, maxAge: keptSeconds, publicUrl });

export const clearedSessionCookie = (publicUrl: string): string =>
  writeCookie(nameOf(publicUrl), '', { path: PATH, maxAge: 0, publicUrl });

export const sessionCookieComesTwice = (request: CookieCarrier, publicUrl: string): boolean =>
  comesTwice(request, nameOf(publicUrl));

/** The paths below which a browser sends a cookie to the routes of the session. */
const PATHS = ['/', '/api', '/api/', PATH, `${PATH}/`, `${PATH}/token`, `${PATH}/end-all`] as const;

/**
 * Clears every cookie of the session's name that another host of the domain may have set. A browser ignores a domain that
 * is not above this host.
 */
export function plantedCookiesCleared(publicUrl: string): string[] {
  const labels = new URL(publicUrl).hostname.split('.');
  const isName = labels.some((label) => /[a-z]/i.test(label));
  const domains = isName ? labels.slice(0, -1).map((_, from) => labels.slice(from).join('.')) : [];
  return domains.flatMap((domain) =>
    PATHS.map((path) => writeCookie(nameOf(publicUrl), '', { path, domain, maxAge: 0, publicUrl })),
  );
}
