import { KNOWN_SOURCE_DAYS } from '../domain/login-limits.ts';
import type { RouteRequest } from './define-route.ts';

const NAME = 'quita_device';
const TOKEN = /^[\w-]{43}$/;

/** Returns the device token of an earlier login with this browser, or null when no cookie has the form of one. */
export function readDevice({ headers }: Pick<RouteRequest, 'headers'>): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.split('=');
    if (name?.trim() === NAME && value !== undefined && TOKEN.test(value.trim())) return value.trim();
  }
  return null;
}

/** Tells whether the caller is a browser, which sends these headers and keeps cookies; other programs do not. */
export const keepsDevice = ({ headers }: Pick<RouteRequest, 'headers'>): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

/**
 * The cookie only tells the login that this browser has logged in before. It opens no session and is no credential. Each
 * login starts its lifetime again.
 */
export function deviceCookie(token: string, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${NAME}=${token}; Max-Age=${KNOWN_SOURCE_DAYS * 86_400}; Path=/api/auth/login; HttpOnly; SameSite=Strict${secure}`;
}
