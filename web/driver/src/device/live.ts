import { serverNow } from '../../../shared/clock.ts';
import { watchReturn } from '../../../shared/watchReturn.ts';
import { dayAt } from '../core/days.ts';
import { API } from './network.ts';

const POLL_MS = 10_000;
/** While the event stream is open, in case a message was lost. */
const POLL_LIVE_MS = 60_000;
const RECONNECT_MS = 5_000;

/** Calls `read` whenever this driver's work may have changed, until the returned function is called. */
export function followWork(driverId: string, read: () => void): () => void {
  let events: EventSource | undefined;
  let lastRead = performance.now();
  let lastDay = dayAt(serverNow());
  let retry: ReturnType<typeof setTimeout> | undefined;
  const readNow = (): void => {
    lastRead = performance.now();
    read();
  };
  const connect = (): void => {
    clearTimeout(retry);
    events?.close();
    events = new EventSource(`${API}/condutores/${driverId}/trabalho/eventos`);
    events.onopen = readNow;
    events.addEventListener('trabalho', readNow);
    events.onerror = () => {
      // The browser reconnects by itself after a lost connection, but not after a refusal.
      if (events?.readyState !== EventSource.CLOSED) return;
      retry = setTimeout(connect, RECONNECT_MS);
    };
  };
  const poll = setInterval(() => {
    const isLive = events?.readyState === EventSource.OPEN;
    const isDue = performance.now() - lastRead >= (isLive ? POLL_LIVE_MS : POLL_MS);
    // Today's figures start anew at midnight, and no message announces it.
    const isNewDay = dayAt(serverNow()) !== lastDay;
    lastDay = dayAt(serverNow());
    if (isDue || isNewDay) readNow();
  }, 2_000);
  const stopWatching = watchReturn((mayBeDead) => {
    readNow();
    if (mayBeDead || events?.readyState !== EventSource.OPEN) connect();
  });
  connect();
  readNow();
  return () => {
    clearInterval(poll);
    stopWatching();
    clearTimeout(retry);
    events?.close();
  };
}
