import './style.css';
import './ui/ui.css';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { ignoreStraySecondClicks } from '../../shared/secondClicks.ts';
import { App } from './App.tsx';
import { isLoggedOut, isRefusal, isUndecided } from './api.ts';
import { SessionGate } from './session.tsx';
import { Stopped } from './ui/Boundary.tsx';

/**
 * After a refusal because the session has ended, the login is shown and drafts are kept. A refusal for lack of a
 * permission means that permissions have changed: the session is read again, and the menu follows.
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
    // The login form handles a wrong password itself.
    onError: (error, _given, _context, { options }) =>
      options.mutationKey?.[0] !== 'session' && onError(error),
  }),
  defaultOptions: {
    // api.ts handles lost connections. The online state that the browser reports is unreliable.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      // A refusal by the server is final. Only a request without a conclusive answer is retried.
      retry: (count, error) => isUndecided(error) && count < 3,
    },
  },
});

ignoreStraySecondClicks();

const root = createRoot(document.getElementById('console')!, {
  // An error of the frame itself. `Boundary` catches those of a page.
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
