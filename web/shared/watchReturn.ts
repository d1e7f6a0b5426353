const TICK_MS = 2_000;
/** Browsers delay timers of a hidden page by less than this. After more, the machine slept or the page was frozen. */
const ASLEEP_MS = 90_000;

/**
 * Calls `returned` when the page is shown again, and after the machine slept or changed its network. After the latter
 * two, a connection may be dead without an error (`mayBeDead`). The returned function ends this.
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
