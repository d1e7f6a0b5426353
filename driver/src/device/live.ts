import { API } from './network.ts';

const POLL_MS = 10_000;
/** With the stream up, in case one of its messages was lost. */
const POLL_LIVE_MS = 60_000;
const RECONNECT_MS = 5_000;
/** Later than a browser lets a timer of a hidden page be: the phone slept. */
const ASLEEP_MS = 90_000;

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
    events?.close();
    events = new EventSource(`${API}/condutores/${driverId}/trabalho/eventos`);
    events.onopen = readNow;
    events.addEventListener('trabalho', readNow);
    events.onerror = () => {
      // The browser comes back by itself after a lost connection, but not after a refusal.
      if (events?.readyState !== EventSource.CLOSED) return;
      clearTimeout(retry);
      retry = setTimeout(connect, RECONNECT_MS);
    };
  };
  let lastTick = Date.now();
  const poll = setInterval(() => {
    const hasSlept = Date.now() - lastTick > ASLEEP_MS;
    lastTick = Date.now();
    // A stream that was open before may be dead without anybody having noticed.
    if (hasSlept) connect();
    const isLive = events?.readyState === EventSource.OPEN;
    if (performance.now() - lastRead >= (isLive ? POLL_LIVE_MS : POLL_MS)) readNow();
  }, 2_000);
  const onReturn = (): void => {
    if (document.visibilityState !== 'visible') return;
    readNow();
    if (events?.readyState !== EventSource.OPEN) connect();
  };
  document.addEventListener('visibilitychange', onReturn);
  addEventListener('online', onReturn);
  connect();
  readNow();
  return () => {
    clearInterval(poll);
    clearTimeout(retry);
    events?.close();
    document.removeEventListener('visibilitychange', onReturn);
    removeEventListener('online', onReturn);
  };
}
