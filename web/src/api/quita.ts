import { noteFactor, onSessionChange, replaceToken, sessionState, sessionToken } from '../session/session.ts';
import { askStepUp, timesProved } from '../session/step-up.ts';
import { createClient, OPERATIONS, type Ops } from './client.ts';
import { forgetUnanswered, sendOnce } from './once.ts';

const isExpired = async (response: Response): Promise<boolean> => {
  if (response.status !== 401) return false;
  const problem = (await response.clone().json()) as { code?: string };
  return problem.code === 'token_expired' || problem.code === 'token_invalid';
};

/** What a refusal says about the member: another role, which the answer to a new token names, or a factor that is missing. */
async function learnFrom(response: Response, sent: string): Promise<void> {
  if (response.status !== 403) return;
  const problem = (await response.clone().json()) as { code?: string };
  if (problem.code === 'role_insufficient') await replaceToken(sent.slice('Bearer '.length));
  if (problem.code === 'second_factor_missing') noteFactor(true);
}

/** Repeats a request once with another token when its token was refused, for example after the machine slept. */
const fetchAgainWhenExpired: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const headers = new Headers(init?.headers);
  const sent = headers.get('authorization');
  if (sent === null) return response;
  void learnFrom(response, sent).catch(() => undefined);
  if (!(await isExpired(response))) return response;
  headers.set('authorization', `Bearer ${await replaceToken(sent.slice('Bearer '.length))}`);
  return fetch(input, { ...init, headers });
};

const TIMEOUT_MS = 60_000;

const asksStepUp = (text: string): boolean => (JSON.parse(text) as { code?: string }).code === 'step_up_required';

/**
 * Asks for the code of the second factor where the server wants it again, and repeats the request once. Who cancels gets
 * the refusal, which says that nothing was done. No screen knows of this.
 */
const fetchProved: typeof fetch = async (input, init) => {
  const before = timesProved();
  const response = await fetchAgainWhenExpired(input, init);
  if (response.status !== 401) return response;
  // The request may time out while the person looks for the code, and its answer could then not be read any more.
  const text = await response.text();
  const refused = new Response(text, response);
  if (!asksStepUp(text)) return refused;
  // A code that was given since this request left is good for it too.
  if (timesProved() === before && !(await askStepUp())) return refused;
  return fetchAgainWhenExpired(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
};

const options = { serverUrl: '', clientHeader: false, timeout: TIMEOUT_MS, fetch: sendOnce(fetchProved) } as const;

let member: string | undefined;

/** A session that ended by itself goes on where it was; a sign-out and another member begin anew. */
onSessionChange(() => {
  const state = sessionState();
  if (state.kind === 'out' && state.reason !== 'ended') forgetUnanswered();
  if (state.kind !== 'in') return;
  if (state.member.id !== member) forgetUnanswered();
  member = state.member.id;
});

/**
 * The API as the signed-in company. A POST that creates or sends takes `{ idempotencyKey: true }`, and is then the same
 * call again when it is repeated after a lost answer.
 */
export const quita = createClient<Ops>(OPERATIONS, { ...options, auth: { bearer: sessionToken } });

/** The routes that need no sign-in. */
export const publicQuita = createClient<Ops>(OPERATIONS, options);
