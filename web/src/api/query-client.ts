import { keepPreviousData, QueryClient } from '@tanstack/react-query';
import { onSessionChange, sessionState } from '../session/session.ts';
import type { GetConsoleResult } from './client.ts';
import { failedOf, mayRetry } from './problem.ts';

/** Old data stays while filters change; only failures that may pass are tried again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 5 * 60_000,
      placeholderData: keepPreviousData,
      retry: (attempts, error) => attempts < 2 && mayRetry(failedOf(error)),
      retryDelay: (attempt) => Math.min(1_000 * 2 ** attempt, 10_000),
    },
    mutations: { retry: false },
  },
});

let owner: string | undefined;

/**
 * What a member has read is gone when somebody else follows, or the same one with another role, before another screen is drawn: a query that a mounted screen is
 * waiting for would otherwise be cancelled with the rest.
 */
onSessionChange(() => {
  const session = sessionState();
  const next = session.kind === 'in' ? `${session.member.id} ${session.member.role}` : undefined;
  // What the deployment is belongs to nobody.
  if (owner !== undefined && owner !== next) {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'console' });
  }
  // Who leaves on the first day of a service has an account, and comes to the sign-in.
  if (next !== undefined) {
    queryClient.setQueryData<GetConsoleResult>(
      ['console'],
      (facts) =>
        facts && { ...facts, hasAccounts: true, ...(facts.verification === 'own' && { signupOpen: false as const }) },
    );
  }
  owner = next;
});
