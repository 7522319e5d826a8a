import { KNOWN_SOURCE_DAYS } from '../../../kernel/login-limits.ts';
import { type CookieCarrier, OPAQUE_TOKEN, readCookie, writeCookie } from '../../../platform/http/cookies.ts';

const NAME = 'quita_device';

/** Returns the device token of an earlier login with this browser, or null when no cookie has the form of one. */
export const readDevice = (request: CookieCarrier): string | null => readCookie(request, NAME, OPAQUE_TOKEN);

/** Tells whether the caller is a browser, which sends these headers and keeps cookies; other programs do not. */
export const keepsDevice = ({ headers }: CookieCarrier): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

/** The routes at which a browser logs in. Each has a cookie of its own, so that no other route receives it. */
export type LoginPath = '/api/auth/login' | '/api/session';

/**
 * The cookie only tells the login that this browser has logged in before. It opens no session and is no credential. Each
 * login starts its lifetime again.
 */
export const deviceCookie = (token: string, path: LoginPath, publicUrl: string): string =>
  writeCookie(NAME, token, { path, maxAge: KNOWN_SOURCE_DAYS * 86_400, publicUrl });
