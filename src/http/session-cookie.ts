import { type CookieCarrier, readTokenCookie, tokenCookie } from './cookies.ts';

const PATH = '/api/session';

/** A browser accepts a cookie with this prefix from https only, so that a page over http cannot replace it. */
const nameOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Secure-quita_session' : 'quita_session';

/** Only the routes of the console's session call this. Every other route takes a bearer. */
export const readSessionCookie = (request: CookieCarrier, publicUrl: string): string | null =>
  readTokenCookie(request, nameOf(publicUrl));

export const sessionCookie = (
  { cookie, keptSeconds }: { readonly cookie: string; readonly keptSeconds: number | null },
  publicUrl: string,
): string => tokenCookie(nameOf(publicUrl), cookie, { path: PATH, maxAge: keptSeconds, publicUrl });

export const clearedSessionCookie = (publicUrl: string): string =>
  tokenCookie(nameOf(publicUrl), '', { path: PATH, maxAge: 0, publicUrl });
