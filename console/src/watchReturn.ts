const TICK_MS = 2_000;
/** Later than a browser lets a timer of a hidden page be: the machine slept, or the browser froze the page. */
const ASLEEP_MS = 90_000;

/**
 * Calls `returned` when the page is seen again, and when the machine slept or has another network. After the latter two
 * a connection may be dead without an error (`mayBeDead`). Ends with the function that it returns.
 */
export function watchReturn(returned: (mayBeDead: boolean) => void): () => void {
  let lastTick = Date.now();
  const hasSlept = (): boolean => {
    const before = lastTick;
    lastTick = Date.now();
    return lastTick - before > ASLEEP_MS;
  };
  const tick = setInterval(() => hasSlept() && returned(true), TICK_MS);
  const onVisibility = (): void => {
    if (document.visibilityState === 'visible') returned(hasSlept());
  };
  const onOnline = (): void => returned(true);
  document.addEventListener('visibilitychange', onVisibility);
  addEventListener('online', onOnline);
  return () => {
    clearInterval(tick);
    document.removeEventListener('visibilitychange', onVisibility);
    removeEventListener('online', onOnline);
  };
}
