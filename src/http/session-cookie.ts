import { type CookieCarrier, OPAQUE_TOKEN, readCookie, securedName, writeCookie } from './cookies.ts';

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
