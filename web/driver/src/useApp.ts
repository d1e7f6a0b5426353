import { createContext, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { serverNow } from '../../shared/clock.ts';
import type { AppState, DriverApp } from './appState.ts';
import type { Filled, SheetName } from './core/draft.ts';
import { visitOf } from './core/failure.ts';
import type { Stop } from './core/work.ts';

export const AppContext = createContext<DriverApp | null>(null);

export function useApp(): DriverApp {
  const app = useContext(AppContext);
  if (!app) throw new Error('useApp needs an AppContext above it');
  return app;
}

/** These parts of the state. The component is drawn again only when one of them changes, not for every position. */
export function useAppState<const Part extends keyof AppState>(...parts: Part[]): Pick<AppState, Part> {
  const app = useApp();
  const known = useRef<Pick<AppState, Part>>(null);
  return useSyncExternalStore(app.subscribe, () => {
    const state = app.state();
    if (!known.current || parts.some((part) => known.current?.[part] !== state[part])) known.current = state;
    return known.current;
  });
}

/**
 * The values of a form about a stop. They are stored whenever the app is hidden, because a phone that is short of memory
 * ends the app while its camera is open. Closing the form deletes them with `keepDraft(null)`.
 */
export function useFilled<S extends SheetName>(
  sheet: S,
  stop: Stop,
  empty: Filled[S],
): [Filled[S], (changes: Partial<Filled[S]>) => void] {
  const app = useApp();
  const { id: stopId } = stop;
  const visit = visitOf(stop);
  const [filled, setFilled] = useState<Filled[S]>(() => {
    const { draft } = app.state();
    const isThis = draft?.sheet === sheet && draft.stopId === stopId && draft.visit === visit;
    return { ...empty, ...(isThis && draft.filled) };
  });
  const last = useRef(filled);
  useEffect(() => {
    last.current = filled;
  }, [filled]);
  useEffect(() => {
    const keep = (): void => {
      if (document.visibilityState === 'hidden')
        app.keepDraft({ sheet, stopId, visit, filled: last.current });
    };
    document.addEventListener('visibilitychange', keep);
    return () => document.removeEventListener('visibilitychange', keep);
  }, [app, sheet, stopId, visit]);
  return [filled, (changes) => setFilled((known) => ({ ...known, ...changes }))];
}

/** The server's time, updated periodically and when the app is shown again: timers of a hidden app are paused. */
export function useServerNow(everyMs: number): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const read = (): void => setNow(serverNow());
    const timer = setInterval(read, everyMs);
    document.addEventListener('visibilitychange', read);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [everyMs]);
  return now;
}

const readHash = (): string => location.hash.replace(/^#\/?/, '');

/** The screen in the address, so that the phone's back button leads back. */
export function useScreen(): string {
  return useSyncExternalStore((onChange) => {
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, readHash);
}
