/** The signed-in state of this tab. The cookie is out of reach of scripts; only the short access token lives here. */
export interface SignedInClient {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'out'; readonly reason: 'none' | 'ended' }
  | { readonly kind: 'in'; readonly client: SignedInClient };

interface Opened {
  readonly token: string;
  readonly expiresAt: string;
  readonly client: SignedInClient;
}

/** A token is renewed when this share of its life has passed, so that no request meets its end. */
const RENEW_AT = 0.8;
/** Tells whether this browser has signed in. It avoids a refused request on each visit, and is no credential. */
const HINT = 'quita-session';

type Listener = () => void;

let state: SessionState = { kind: 'unknown' };
let token = '';
let renewAt = 0;
let renewing: Promise<string> | undefined;
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

export class SessionEnded extends Error {}
/** The service could not renew the session now; the session may still be open. */
export class SessionUnavailable extends Error {}

function open({ token: fresh, expiresAt, client }: Opened): string {
  token = fresh;
  renewAt = Date.now() + (new Date(expiresAt).getTime() - Date.now()) * RENEW_AT;
  storeHint('in');
  const same = state.kind === 'in' && state.client.id === client.id;
  if (!same) change({ kind: 'in', client });
  return fresh;
}

function close(reason: 'none' | 'ended'): void {
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
  const response = await post('/api/session/token');
  if (response.status === 401 || response.status === 403) {
    close(state.kind === 'in' ? 'ended' : 'none');
    throw new SessionEnded();
  }
  if (!response.ok) throw new SessionUnavailable();
  return open((await response.json()) as Opened);
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
  await sessionToken().catch((error: unknown) => {
    // The server may be down: the page says so by itself when it asks for data.
    if (!(error instanceof SessionEnded)) close('none');
  });
}

/** Signs in; a refusal is returned as the server's problem. */
export async function signIn(input: {
  email: string;
  password: string;
  remember: boolean;
}): Promise<Response | undefined> {
  const response = await post('/api/session', input);
  if (!response.ok) return response;
  open((await response.json()) as Opened);
  channel.postMessage('in');
  return undefined;
}

/** Ends this session, or all sessions of the company, in every tab. */
export async function signOut({ everywhere = false } = {}): Promise<void> {
  await (everywhere ? post('/api/session/end-all') : post('/api/session', {}, 'DELETE'));
  close('none');
  channel.postMessage('out');
}
