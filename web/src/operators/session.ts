import { useSyncExternalStore } from 'react';

/** The signed-in state of this tab. The cookie is out of reach of scripts, so only the server knows whether it counts. */
export type OperatorSession =
  | { readonly kind: 'unknown' }
  /** The service does not answer, so nobody knows yet whether the session is open. */
  | { readonly kind: 'waiting' }
  /** `unconfirmed` is a sign-out that the service has not answered. */
  | { readonly kind: 'out'; readonly reason: 'none' | 'ended' | 'unconfirmed' }
  | { readonly kind: 'in'; readonly email: string };

interface Opened {
  readonly email: string;
  readonly idleMinutes: number;
}

const SESSION = '/api/operator/session';
/** How long a visit waits before it asks again a service that does not answer. */
const ASK_AGAIN_MS = 2_000;

let state: OperatorSession = { kind: 'unknown' };
let idleMs = 0;
let usedAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const channel = new BroadcastChannel('quita-operator');

function change(next: OperatorSession): void {
  state = next;
  for (const listener of listeners) listener();
}

export const onSessionChange = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const sessionState = (): OperatorSession => state;
export const useSession = (): OperatorSession => useSyncExternalStore(onSessionChange, sessionState);

/** A machine that slept does not run the timer, so the time itself is compared too. */
function endWhenIdle(): void {
  if (state.kind === 'in' && Date.now() - usedAt >= idleMs) endSession('ended');
}

function waitForIdleness(): void {
  usedAt = Date.now();
  clearTimeout(timer);
  timer = setTimeout(endWhenIdle, idleMs);
}

/** The server has taken a call, and the idle time begins again. All tabs share the session, and so its idle time. */
export function noteCall(): void {
  if (state.kind !== 'in') return;
  waitForIdleness();
  channel.postMessage('used');
}

/** What the operator has read leaves the screen. */
export function endSession(reason: 'none' | 'ended' | 'unconfirmed'): void {
  clearTimeout(timer);
  if (state.kind !== 'out') change({ kind: 'out', reason });
}

function open({ email, idleMinutes }: Opened): void {
  idleMs = idleMinutes * 60_000;
  waitForIdleness();
  change({ kind: 'in', email });
}

const ask = (method: string, body?: object): Promise<Response> =>
  fetch(SESSION, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** Returns false when the service does not answer. */
async function look(): Promise<boolean> {
  const response = await ask('GET').catch(() => undefined);
  // A refusal is read too, because a browser keeps a connection for what nobody reads.
  const body: unknown = await response?.json().catch(() => undefined);
  if (response?.ok === true && body !== undefined) open(body as Opened);
  else if (response?.status === 401) endSession('none');
  else return false;
  return true;
}

/** Finds out at the start whether this browser is signed in. */
export async function startSession(): Promise<void> {
  document.addEventListener('visibilitychange', endWhenIdle);
  channel.addEventListener('message', ({ data }) => {
    if (data === 'used' && state.kind === 'in') waitForIdleness();
    if (data === 'out') endSession('ended');
    if (data === 'in' && state.kind === 'out') void look();
  });
  while (!(await look())) {
    change({ kind: 'waiting' });
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/** Signs in; a refusal is returned as the server's problem. */
export async function signIn(given: {
  readonly email: string;
  readonly password: string;
  readonly code: string;
}): Promise<Response | undefined> {
  const response = await ask('POST', given);
  if (!response.ok) return response;
  open((await response.json()) as Opened);
  channel.postMessage('in');
  return undefined;
}

/** Ends this session in every tab. What was read leaves the screen even when the service does not answer. */
export async function signOut(): Promise<void> {
  const ended = await ask('DELETE').then(
    ({ ok }) => ok,
    () => false,
  );
  endSession(ended ? 'none' : 'unconfirmed');
  channel.postMessage('out');
}
