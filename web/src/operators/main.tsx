import '../ui/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../random-uuid.ts';
import { App } from './app.tsx';
import { queryClient } from './query-client.ts';
import { startSession } from './session.ts';

void startSession();

createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
