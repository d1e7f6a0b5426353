/** The version in the address of this script: …/assets/{version}/app.js. */
export const APP_VERSION =
  /assets\/(\w+)\//.exec((document.currentScript as HTMLScriptElement).src)?.[1] ?? '';

interface Battery extends EventTarget {
  level: number;
}

/** Reports the battery level in percent, where the browser provides it. */
export function watchBattery(onChange: (percent: number) => void): void {
  const { getBattery } = navigator as { getBattery?: () => Promise<Battery> };
  void getBattery?.call(navigator).then(
    (battery) => {
      const read = (): void => onChange(Math.round(battery.level * 100));
      battery.addEventListener('levelchange', read);
      read();
    },
    () => undefined,
  );
}

let lock: WakeLockSentinel | undefined;
let wanted = false;
let isAsking = false;

/** Keeps the screen on while wanted. The browser releases the lock whenever the app is hidden. */
export function keepAwake(isWanted: boolean): void {
  wanted = isWanted;
  if (!isWanted) {
    void lock?.release();
    lock = undefined;
  } else void takeLock();
}

async function takeLock(): Promise<void> {
  if (!navigator.wakeLock || document.visibilityState !== 'visible') return;
  if (isAsking || (lock && !lock.released)) return;
  // A second lock would remain when this one is released.
  isAsking = true;
  // Refused, for example, when the battery is low. The app works without it.
  lock = await navigator.wakeLock.request('screen').catch(() => undefined);
  isAsking = false;
  if (!wanted) keepAwake(false);
}

document.addEventListener('visibilitychange', () => {
  if (wanted) void takeLock();
});

/**
 * Two windows would send the same outbox, so only the newest window runs. `onLost` is called in an older one.
 * Resolves once this window holds the lock.
 */
export function becomeOnlyWindow(onLost: () => void): Promise<void> {
  const { locks } = navigator;
  if (!locks) return Promise.resolve();
  return new Promise((resolve) => {
    locks
      .request('malote-entregador', { steal: true }, () => {
        resolve();
        return new Promise<never>(() => undefined);
      })
      .catch(onLost);
  });
}
