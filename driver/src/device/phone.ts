/** "Android, Chrome": tells the operator which phone a session is on. */
export function phoneLabel(): string {
  const { userAgent } = navigator;
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(userAgent)?.[0] ?? 'aparelho';
  const browser = /SamsungBrowser|EdgA?|Firefox|FxiOS|CriOS|Chrome|Safari/.exec(userAgent)?.[0];
  return [system, browser].filter(Boolean).join(', ').slice(0, 100);
}

/** The version in the address of this script: …/assets/{version}/app.js. */
export const APP_VERSION =
  /assets\/(\w+)\//.exec((document.currentScript as HTMLScriptElement).src)?.[1] ?? '';

interface Battery extends EventTarget {
  level: number;
}

/** In percent, where the phone tells. */
export function watchBattery(tell: (percent: number) => void): void {
  const { getBattery } = navigator as { getBattery?: () => Promise<Battery> };
  void getBattery?.call(navigator).then(
    (battery) => {
      const read = (): void => tell(Math.round(battery.level * 100));
      battery.addEventListener('levelchange', read);
      read();
    },
    () => undefined,
  );
}

let lock: WakeLockSentinel | undefined;
let wanted = false;
let isAsking = false;

/** Keeps the screen on while it is wanted and the app is in front; the browser lets go whenever it is not. */
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
  // A second one would stay when this one is released.
  isAsking = true;
  // Refused when the battery is low: the app works all the same.
  lock = await navigator.wakeLock.request('screen').catch(() => undefined);
  isAsking = false;
  if (!wanted) keepAwake(false);
}

document.addEventListener('visibilitychange', () => {
  if (wanted) void takeLock();
});

/**
 * Two windows would send the same outbox. The newest one has it; an older one is told, and stops.
 * Resolves once this window has it.
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
