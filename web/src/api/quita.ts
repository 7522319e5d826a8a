import { replaceToken, sessionToken } from '../session/session.ts';
import { createClient, OPERATIONS, type Ops } from './client.ts';

const isExpired = async (response: Response): Promise<boolean> => {
  if (response.status !== 401) return false;
  const problem = (await response.clone().json()) as { code?: string };
  return problem.code === 'token_expired' || problem.code === 'token_invalid';
};

/** Repeats a request once with another token when its token was refused, for example after the machine slept. */
const fetchAgainWhenExpired: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const headers = new Headers(init?.headers);
  const sent = headers.get('authorization');
  if (sent === null || !(await isExpired(response))) return response;
  headers.set('authorization', `Bearer ${await replaceToken(sent.slice('Bearer '.length))}`);
  return fetch(input, { ...init, headers });
};

const options = { serverUrl: '', clientHeader: false, timeout: 60_000, fetch: fetchAgainWhenExpired } as const;

/** The API as the signed-in company. A POST that creates or sends takes `{ idempotencyKey: true }`. */
export const quita = createClient<Ops>(OPERATIONS, { ...options, auth: { bearer: sessionToken } });

/** The routes that need no sign-in. */
export const publicQuita = createClient<Ops>(OPERATIONS, options);
