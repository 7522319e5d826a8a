import { DEVICE_DAYS } from '../services/log-in.ts';
import type { RouteRequest } from './guard.ts';

const NAME = 'quita_device';
const TOKEN = /^[\w-]{43}$/;

/** The token that this browser was given at an earlier login; null when there is none that could be ours. */
export function readDevice({ headers }: Pick<RouteRequest, 'headers'>): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.split('=');
    if (name?.trim() === NAME && value !== undefined && TOKEN.test(value.trim())) return value.trim();
  }
  return null;
}

/** Browsers say where a post comes from; programs that log in again and again, and keep no cookie, do not. */
export const keepsDevice = ({ headers }: Pick<RouteRequest, 'headers'>): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

/** Says nothing but "this browser has logged in here", to the login alone: it opens no session and is no credential. */
export function deviceCookie(token: string, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${NAME}=${token}; Max-Age=${DEVICE_DAYS * 86_400}; Path=/api/auth/login; HttpOnly; SameSite=Strict${secure}`;
}
