import { createClient, OPERATIONS, type Ops } from '../api/client.ts';
import { endSession, noteCall } from './session.ts';

const TIMEOUT_MS = 60_000;

const fetchInSession: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status !== 401) noteCall();
  else if (((await response.clone().json()) as { code?: string }).code === 'unauthenticated') endSession('ended');
  return response;
};

/** The routes of operators, which know the operator by the cookie alone. */
export const operatorApi = createClient<Ops>(OPERATIONS, {
  serverUrl: '',
  clientHeader: false,
  timeout: TIMEOUT_MS,
  fetch: fetchInSession,
});
