import { keepPreviousData, QueryClient } from '@tanstack/react-query';
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
