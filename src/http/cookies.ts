import type { RouteRequest } from './define-route.ts';

export type CookieCarrier = Pick<RouteRequest, 'headers'>;

/** 256 random bits, as `newOpaqueToken` writes them. */
export const OPAQUE_TOKEN = /^[\w-]{43}$/;

/** Returns the first cookie of this name whose value has the form. */
export function readCookie({ headers }: CookieCarrier, wanted: string, form: RegExp): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.split('=');
    if (name?.trim() === wanted && value !== undefined && form.test(value.trim())) return value.trim();
  }
  return null;
}

/** A browser accepts a cookie with this prefix from https only, so that a page over http cannot replace it. */
export const securedName = (name: string, publicUrl: string): string =>
  publicUrl.startsWith('https:') ? `__Secure-${name}` : name;

interface CookieOptions {
  readonly path: string;
  /** Seconds; null: until the browser is closed. */
  readonly maxAge: number | null;
  readonly publicUrl: string;
  /** `Lax` also sends it when another site sends the browser to our page. */
  readonly sameSite?: 'Strict' | 'Lax';
}

/** Scripts cannot read the cookie. */
export function writeCookie(name: string, value: string, options: CookieOptions): string {
  const { path, maxAge, publicUrl, sameSite = 'Strict' } = options;
  const kept = maxAge === null ? '' : `; Max-Age=${maxAge}`;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}${kept}; Path=${path}; HttpOnly; SameSite=${sameSite}${secure}`;
}
