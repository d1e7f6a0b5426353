import { useSyncExternalStore } from 'react';
import { localInputs } from './formats.ts';

/** How far this machine's clock is behind the server's: ages are computed by the server's clock. */
let behindMs = 0;

export function setServerNow(iso: string): void {
  behindMs = Date.parse(iso) - Date.now();
  tick();
}

export const serverNow = (): number => Date.now() + behindMs;

const TICK_MS = 10_000;
const readers = new Set<() => void>();
let shown = serverNow();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  shown = serverNow();
  for (const notify of readers) notify();
}

function subscribe(notify: () => void): () => void {
  readers.add(notify);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    readers.delete(notify);
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The server's time in milliseconds; a component that shows an age is rendered again as the age grows. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => shown);

/** Today in that zone, YYYY-MM-DD; a component that shows a day is rendered again when the next one begins. */
export const useToday = (zone: string): string =>
  useSyncExternalStore(subscribe, () => localInputs(shown, zone).date);
