import { ApiError, type MemberSummary } from '../api/client.ts';
import { SessionEnded, SessionUnavailable } from './session-errors.ts';

/** The signed-in state of this tab. The cookie is out of reach of scripts; only the short access token lives here. */
export interface SignedInClient {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export type Role = MemberSummary['role'];

export type SessionState =
  | { readonly kind: 'unknown' }
  /** The service does not answer, so nobody knows yet whether the session is open. */
  | { readonly kind: 'waiting' }
  /** `unconfirmed` is a sign-out that the service has not answered. */
  | { readonly kind: 'out'; readonly reason: 'none' | 'ended' | 'unconfirmed' }
  | {
      readonly kind: 'in';
      readonly client: SignedInClient;
      readonly member: MemberSummary;
      readonly lacksFactor?: boolean;
    };

interface Opened {
  readonly token: string;
  readonly expiresAt: string;
  readonly client: SignedInClient;
  readonly member: MemberSummary;
}

/** A token is renewed when this share of its life has passed, so that no request meets its end. */
const RENEW_AT = 0.8;
/** How long a visit waits before it asks again a service that does not answer. */
const ASK_AGAIN_MS = 2_000;
/** Tells whether this browser has signed in. It avoids a refused request on each visit, and is no credential. */
const HINT = 'quita-session';

type Listener = () => void;

let state: SessionState = { kind: 'unknown' };
let token = '';
let renewAt = 0;
let renewing: Promise<string> | undefined;
/** True from the order to sign out until its answer: what the service refuses meanwhile needs no other token. */
let signingOut = false;
/** Counts sign-ins and sign-outs, so that the answer to an older question changes nothing. */
let turns = 0;
const listeners = new Set<Listener>();
const channel = new BroadcastChannel('quita-session');

export const sessionState = (): SessionState => state;
export const onSessionChange = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function change(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

const storeHint = (value: 'in' | undefined): void => {
  try {
    if (value === undefined) localStorage.removeItem(HINT);
    else localStorage.setItem(HINT, value);
  } catch {
    // Without storage each visit begins with a question to the server.
  }
};
const hasHint = (): boolean => {
  try {
    return localStorage.getItem(HINT) !== null;
  } catch {
    return true;
  }
};

/** Called before the browser leaves for the identity provider, whose answer sets the cookie. */
export const expectSession = (): void => storeHint('in');

function open({ token: fresh, expiresAt, client, member }: Opened): string {
  token = fresh;
  renewAt = Date.now() + (new Date(expiresAt).getTime() - Date.now()) * RENEW_AT;
  storeHint('in');
  const same = state.kind === 'in' && state.member.id === member.id && state.member.role === member.role;
  if (!same) change({ kind: 'in', client, member });
  return fresh;
}

function close(reason: 'none' | 'ended' | 'unconfirmed'): void {
  turns += 1;
  token = '';
  renewAt = 0;
  storeHint(undefined);
  if (state.kind !== 'out') change({ kind: 'out', reason });
}

const post = (path: string, body: object = {}, method = 'POST'): Promise<Response> =>
  fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    credentials: 'same-origin',
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  });

async function renew(): Promise<string> {
  const asked = turns;
  const response = await post('/api/session/token');
  const opened = response.ok ? ((await response.json()) as Opened) : undefined;
  if (asked !== turns) {
    if (token === '') throw new SessionEnded();
    return token;
  }
  if (response.status === 401 || response.status === 403) {
    close(state.kind === 'in' ? 'ended' : 'none');
    throw new SessionEnded();
  }
  if (opened === undefined) throw new SessionUnavailable();
  const isOther = state.kind === 'in' && state.member.id !== opened.member.id;
  const fresh = open(opened);
  // What was about to be asked as the member before is not asked as this one, who signed in beside.
  if (isOther) throw new SessionEnded();
  return fresh;
}

/** Returns a token that is good for a request. Concurrent callers wait for one renewal. */
export function sessionToken(): Promise<string> {
  if (token !== '' && Date.now() < renewAt) return Promise.resolve(token);
  renewing ??= renew().finally(() => {
    renewing = undefined;
  });
  return renewing;
}

/** Gets another token after the server has refused this one. */
export function replaceToken(refused: string): Promise<string> {
  if (signingOut || state.kind === 'out') return Promise.reject(new SessionEnded());
  if (token === refused) renewAt = 0;
  return sessionToken();
}

/** Finds out at the start whether this browser is signed in. */
export async function startSession(): Promise<void> {
  channel.addEventListener('message', ({ data }) => {
    if (data === 'out') close('ended');
    if (data === 'in' && state.kind === 'out') void sessionToken().catch(() => undefined);
  });
  if (!hasHint()) return close('none');
  // A service that does not answer has not ended the session, so the visit waits instead of asking for the password.
  while (state.kind === 'unknown' || state.kind === 'waiting') {
    try {
      await sessionToken();
      // The identity provider's answer has set the cookie without this page; tabs that are signed out follow.
      channel.postMessage('in');
    } catch (error) {
      if (error instanceof SessionEnded) return;
      change({ kind: 'waiting' });
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
  }
}

/** The company asks every member for a second factor. Until this member has one, the server refuses everything else. */
export function noteFactor(lacksFactor: boolean): void {
  if (state.kind === 'in' && (state.lacksFactor ?? false) !== lacksFactor) change({ ...state, lacksFactor });
}

export type SignInInput =
  | { readonly email: string; readonly password: string; readonly remember: boolean }
  /** The second half of a sign-in, whose first half was answered with the challenge. */
  | { readonly challenge: string; readonly code: string }
  /** A passkey, which is a sign-in by itself or such a second half. */
  | { readonly challenge: string; readonly response: object; readonly remember: boolean };

/** Signs in; a refusal is returned as the server's problem. */
export async function signIn(input: SignInInput): Promise<Response | undefined> {
  const response = await post('/api/session', input);
  if (!response.ok) return response;
  turns += 1;
  open((await response.json()) as Opened);
  channel.postMessage('in');
  return undefined;
}

const isEnded = ({ ok, status }: Response): boolean => ok || status === 401;

async function leave<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  signingOut = true;
  try {
    return await ask();
  } finally {
    signingOut = false;
  }
}

/** Ends this session in every tab. The company's data leaves the screen even when the service does not answer. */
export async function signOut(): Promise<void> {
  const ended = await leave(() => post('/api/session', {}, 'DELETE').then(isEnded, () => false));
  close(ended ? 'none' : 'unconfirmed');
  channel.postMessage('out');
}

/** Ends all sessions of the member. A refusal is thrown, because other browsers are then still signed in. */
export async function signOutEverywhere(): Promise<void> {
  const response = await leave(() => post('/api/session/end-all'));
  if (!isEnded(response)) {
    const problem: unknown = await response.json().catch(() => null);
    throw new ApiError(response.url, response.status, response.statusText, problem);
  }
  close(response.ok ? 'none' : 'ended');
  channel.postMessage('out');
}
