import '../ui/base.css';
import '../random-uuid.ts';
import { keepPreviousData, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { failedOf, mayRetry } from '../api/problem.ts';
import { App } from './app.tsx';
import { onSessionChange, sessionState, startSession } from './session.ts';

/** Nothing is asked without the operator, because each call begins the idle time of the session again. */
const queryClient = new QueryClient({
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

void startSession();

createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
