import {
  type CookieCarrier,
  OPAQUE_TOKEN,
  readCookie,
  securedName,
  writeCookie,
} from '../../../platform/http/cookies.ts';
import { LONGEST_HOURS } from '../rules/operator-limits.ts';

/** No route of a client is below this path, so that none gets the cookie. */
export const OPERATOR_PATH = '/api/operator';

const nameOf = (publicUrl: string): string => securedName('quita_operator', publicUrl);

/** A cookie that comes twice counts as none: another host of the domain may have set one of the two. */
export const readOperatorCookie = (request: CookieCarrier, publicUrl: string): string | null =>
  readCookie(request, nameOf(publicUrl), OPAQUE_TOKEN);

export const operatorCookie = (cookie: string, publicUrl: string): string =>
  writeCookie(nameOf(publicUrl), cookie, { path: OPERATOR_PATH, maxAge: LONGEST_HOURS * 3_600, publicUrl });

export const clearedOperatorCookie = (publicUrl: string): string =>
  writeCookie(nameOf(publicUrl), '', { path: OPERATOR_PATH, maxAge: 0, publicUrl });
