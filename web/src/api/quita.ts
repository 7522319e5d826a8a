import { replaceToken, sessionToken } from '../session/session.ts';
import { createClient, OPERATIONS, type Ops } from './client.ts';

const isExpired = async (response: Response): Promise<boolean> => {
  if (response.status !== 401) return false;
  const problem = (await response.clone().json()) as { code?: string };
  return problem.code === 'token_expired' || problem.code === 'token_invalid';
};

/** A role that was changed meanwhile: the answer to a new token says which one it is, and the screens follow. */
async function learnRole(response: Response, sent: string): Promise<void> {
  if (response.status !== 403) return;
  const problem = (await response.clone().json()) as { code?: string };
  if (problem.code === 'role_insufficient') await replaceToken(sent.slice('Bearer '.length));
}

/** Repeats a request once with another token when its token was refused, for example after the machine slept. */
const fetchAgainWhenExpired: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const headers = new Headers(init?.headers);
  const sent = headers.get('authorization');
  if (sent === null) return response;
  void learnRole(response, sent).catch(() => undefined);
  if (!(await isExpired(response))) return response;
  headers.set('authorization', `Bearer ${await replaceToken(sent.slice('Bearer '.length))}`);
  return fetch(input, { ...init, headers });
};

const options = { serverUrl: '', clientHeader: false, timeout: 60_000, fetch: fetchAgainWhenExpired } as const;

/** The API as the signed-in company. A POST that creates or sends takes `{ idempotencyKey: true }`. */
export const quita = createClient<Ops>(OPERATIONS, { ...options, auth: { bearer: sessionToken } });

/** The routes that need no sign-in. */
export const publicQuita = createClient<Ops>(OPERATIONS, options);
