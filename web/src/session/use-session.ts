import { useSyncExternalStore } from 'react';
import { onSessionChange, type SessionState, type SignedInClient, sessionState } from './session.ts';

export const useSession = (): SessionState => useSyncExternalStore(onSessionChange, sessionState);

/** The signed-in client; only screens behind the sign-in use it. */
export function useClient(): SignedInClient {
  const session = useSession();
  if (session.kind !== 'in') throw new Error('Only a screen behind the sign-in may ask for the client');
  return session.client;
}
