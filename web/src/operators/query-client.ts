import { keepPreviousData, QueryClient } from '@tanstack/react-query';
import { failedOf, mayRetry } from '../api/problem.ts';
import { onSessionChange, sessionState } from './session.ts';

/** Nothing is asked without the operator, because each call begins the idle time of the session again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 5 * 60_000,
      placeholderData: keepPreviousData,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (attempts, error) => attempts < 2 && mayRetry(failedOf(error)),
    },
    mutations: { retry: false },
  },
});

onSessionChange(() => {
  if (sessionState().kind === 'out') queryClient.clear();
});
