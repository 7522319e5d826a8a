import type { RouteRequest } from './define-route.ts';

export type CookieCarrier = Pick<RouteRequest, 'headers'>;

/** 256 random bits, as `newOpaqueToken` writes them. */
export const OPAQUE_TOKEN = /^[\w-]{43}$/;

/**
 * Returns the cookie of this name, if its value has the form. A name that comes twice has no value that could be trusted:
 * another host of the same domain can set a cookie of the name with a longer path, and the browser sends it first.
 */
export function readCookie(request: CookieCarrier, wanted: string, form: RegExp): string | null {
  const [value, ...more] = cookiesNamed(request, wanted);
  return value !== undefined && more.length === 0 && form.test(value) ? value : null;
}

export const comesTwice = (request: CookieCarrier, wanted: string): boolean => cookiesNamed(request, wanted).length > 1;

const cookiesNamed = ({ headers }: CookieCarrier, wanted: string): readonly string[] =>
  (headers.cookie ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at >= 0 && pair.slice(0, at).trim() === wanted ? [pair.slice(at + 1).trim()] : [];
  });

/** A browser accepts a cookie with this prefix from https only, so that a page over http cannot replace it. */
export const securedName = (name: string, publicUrl: string): string =>
  publicUrl.startsWith('https:') ? `__Secure-${name}` : name;

interface CookieOptions {
  readonly path: string;
  /** The domain of a cookie that another host has set. Ours have none, so that no other host gets them. */
  readonly domain?: string;
  /** Seconds; null: until the browser is closed. */
  readonly maxAge: number | null;
  readonly publicUrl: string;
  /** `Lax` also sends it when another site sends the browser to our page. */
  readonly sameSite?: 'Strict' | 'Lax';
}

/** Scripts cannot read the cookie. */
export function writeCookie(name: string, value: string, options: CookieOptions): string {
  const { path, domain, maxAge, publicUrl, sameSite = 'Strict' } = options;
  const kept = maxAge === null ? '' : `; Max-Age=${maxAge}`;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const of = domain === undefined ? '' : `; Domain=${domain}`;
  return `${name}=${value}${kept}; Path=${path}${of}; HttpOnly; SameSite=${sameSite}${secure}`;
}
