import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { ApiError } from './api.ts';
import { SessionGate } from './session.tsx';
import './style.css';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The server's "no" is final; only a lost connection is worth another try.
      retry: (count, error) =>
        (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) && count < 3,
    },
  },
});

createRoot(document.getElementById('console')!).render(
  <QueryClientProvider client={queries}>
    <SessionGate>
      <App />
    </SessionGate>
  </QueryClientProvider>,
);
