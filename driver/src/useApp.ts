import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { serverNow } from '../../console/src/clock.ts';
import type { AppState, DriverApp } from './appState.ts';

export const AppContext = createContext<DriverApp | null>(null);

export function useApp(): DriverApp {
  const app = useContext(AppContext);
  if (!app) throw new Error('there is no app above');
  return app;
}

export function useAppState(): AppState {
  const app = useApp();
  return useSyncExternalStore(app.subscribe, app.state);
}

/** The server's time, ever so often. */
export function useServerNow(everyMs: number): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

const readHash = (): string => location.hash.replace(/^#\/?/, '');

/** The screen in the address, so that the phone's back button leads back. */
export function useScreen(): string {
  return useSyncExternalStore((tell) => {
    addEventListener('hashchange', tell);
    return () => removeEventListener('hashchange', tell);
  }, readHash);
}
