import type { AppState } from './appState.ts';
import { localView } from './core/localView.ts';

/** The state of the app, and who is notified of each change. */
export interface AppStore {
  state(): AppState;
  set(changes: Partial<AppState>): void;
  subscribe(notify: () => void): () => void;
}

/** Stores a note for the next start. A phone whose storage is full goes on without it. */
export type Keep = (name: string, value: unknown) => Promise<void>;

export function createAppStore(initial: AppState): AppStore {
  const subscribers = new Set<() => void>();
  let state = initial;
  return {
    state: () => state,
    set(changes) {
      const next = { ...state, ...changes };
      if (next.work !== state.work || next.entries !== state.entries)
        next.view = next.work && localView(next.work, next.entries);
      state = next;
      for (const notify of subscribers) notify();
    },
    subscribe(notify) {
      subscribers.add(notify);
      return () => subscribers.delete(notify);
    },
  };
}
