import { watchReturn } from '../../../console/src/watchReturn.ts';
import { API } from './network.ts';

const POLL_MS = 10_000;
/** With the stream up, in case one of its messages was lost. */
const POLL_LIVE_MS = 60_000;
const RECONNECT_MS = 5_000;

/** Calls `read` whenever something of this driver may have changed, until the function that it returns is called. */
export function followWork(driverId: string, read: () => void): () => void {
  let events: EventSource | undefined;
  let lastRead = performance.now();
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
      // The browser comes back by itself after a lost connection, but not after a refusal.
      if (events?.readyState !== EventSource.CLOSED) return;
      retry = setTimeout(connect, RECONNECT_MS);
    };
  };
  const poll = setInterval(() => {
    const isLive = events?.readyState === EventSource.OPEN;
    if (performance.now() - lastRead >= (isLive ? POLL_LIVE_MS : POLL_MS)) readNow();
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
