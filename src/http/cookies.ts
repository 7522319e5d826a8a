import type { RouteRequest } from './define-route.ts';

export type CookieCarrier = Pick<RouteRequest, 'headers'>;

/** 256 random bits, as `newOpaqueToken` writes them. */
const TOKEN = /^[\w-]{43}$/;

/** Returns the first cookie of this name that has the form of a token. */
export function readTokenCookie({ headers }: CookieCarrier, wanted: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.split('=');
    if (name?.trim() === wanted && value !== undefined && TOKEN.test(value.trim())) return value.trim();
  }
  return null;
}

interface CookieOptions {
  readonly path: string;
  /** Seconds; null: until the browser is closed. */
  readonly maxAge: number | null;
  readonly publicUrl: string;
}

/** Pages and scripts cannot read the cookie, and the browser sends it with requests of our own pages only. */
export function tokenCookie(name: string, value: string, { path, maxAge, publicUrl }: CookieOptions): string {
  const kept = maxAge === null ? '' : `; Max-Age=${maxAge}`;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}${kept}; Path=${path}; HttpOnly; SameSite=Strict${secure}`;
}
