import './style.css';
import './ui/ui.css';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { isLoggedOut, isRefusal, isUndecided } from './api.ts';
import { SessionGate } from './session.tsx';
import { Stopped } from './ui/Boundary.tsx';
import { ignoreStraySecondClicks } from './ui/secondClicks.ts';

/**
 * A refusal because the session has ended leads to the login; what was typed is kept. One because the caller may not do
 * it shows that rights have changed: the session is read again, and the menu follows.
 */
const onError = (error: unknown): void => {
  if (isLoggedOut(error) || isRefusal(error, 'not-allowed'))
    void queries.invalidateQueries({ queryKey: ['session'] });
};

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => queryKey[0] !== 'session' && onError(error),
  }),
  mutationCache: new MutationCache({
    // A wrong password at the login is the login's own affair.
    onError: (error, _given, _context, { options }) =>
      options.mutationKey?.[0] !== 'session' && onError(error),
  }),
  defaultOptions: {
    // Lost connections are dealt with in api.ts; whether the browser believes to be online says little.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      // The server's "no" is final; only a lost connection is worth another try.
      retry: (count, error) => isUndecided(error) && count < 3,
    },
  },
});

ignoreStraySecondClicks();

const root = createRoot(document.getElementById('console')!, {
  // Of the frame itself; those of a page stay with the page.
  onUncaughtError(error) {
    console.error(error);
    root.render(<Stopped />);
  },
});
root.render(
  <QueryClientProvider client={queries}>
    <SessionGate>
      <App />
    </SessionGate>
  </QueryClientProvider>,
);
