import type { App } from '../../../testing/app.ts';
import { PASSWORD, type Problem, type SignedUp } from './accounts.ts';

export interface ConsoleToken {
  readonly token: string;
  readonly expiresAt: string;
  readonly client: Omit<SignedUp, 'token'>;
}

interface Sent {
  readonly cookie?: string | undefined;
  readonly body?: unknown;
  /** Null sends none, as programs do. */
  readonly origin?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls as the page of the console does. */
export const fromPage = <Body = ConsoleToken & Problem>(app: App, method: string, path: string, sent: Sent = {}) => {
  const { cookie, body, origin = app.url, headers = {} } = sent;
  return app.call<Body>(method, path, {
    body,
    headers: { ...(origin === null ? {} : { origin }), ...(cookie === undefined ? {} : { cookie }), ...headers },
  });
};

/** The attributes of each cookie that an answer sets, by its name. */
export const cookiesOf = (headers: Headers): Record<string, string[]> =>
  Object.fromEntries(
    headers.getSetCookie().map((cookie) => {
      const [pair = '', ...attributes] = cookie.split('; ');
      return [pair.split('=')[0] ?? '', [pair, ...attributes]];
    }),
  );

export const sessionCookieOf = (headers: Headers): string | undefined =>
  cookiesOf(headers)['quita_session']?.[0] ?? cookiesOf(headers)['__Secure-quita_session']?.[0];

/** Logs in and returns the pair that the browser then sends as its cookie. */
export async function openConsole(app: App, email: string, remember?: boolean, password = PASSWORD) {
  const body = { email, password, ...(remember === undefined ? {} : { remember }) };
  const answer = await fromPage(app, 'POST', '/api/session', { body });
  const cookie = sessionCookieOf(answer.headers);
  if (answer.status !== 200 || cookie === undefined) throw new Error(`no session: ${JSON.stringify(answer.body)}`);
  return { ...answer.body, cookie, headers: answer.headers };
}

export const renew = (app: App, cookie: string | undefined) => fromPage(app, 'POST', '/api/session/token', { cookie });
