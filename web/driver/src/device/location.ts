import { serverNow } from '../../../shared/clock.ts';
import type { Fix, LocationState } from '../core/positions.ts';

/** Fixes are never this old (`maximumAge`). One that seems older has its time from a differing clock. */
const AGE_MS_MAX = 60_000;

let watch: { id: number; isPrecise: boolean } | undefined;
/** Restarts the watch after a denied permission; undefined unless it was denied. */
let beginAgain: (() => void) | undefined;
let isPermissionWatched = false;

/** Follows the phone's position; `isPrecise` uses the satellite receiver, which costs battery. */
export function followLocation(
  isPrecise: boolean,
  onFix: (fix: Fix) => void,
  onState: (state: LocationState) => void,
): void {
  const { geolocation } = navigator;
  if (!geolocation) onState('unavailable');
  if (!geolocation || watch?.isPrecise === isPrecise) return;
  stopLocation();
  const id = geolocation.watchPosition(
    ({ coords, timestamp }) => {
      onState('on');
      // The phone's clock may be wrong, so only the age of the fix is used. Some receivers report satellite time.
      const age = Date.now() - timestamp;
      onFix({
        lat: coords.latitude,
        lng: coords.longitude,
        accuracy: coords.accuracy,
        at: serverNow() - (age > 0 && age < AGE_MS_MAX ? age : 0),
      });
    },
    ({ code, PERMISSION_DENIED }) => {
      if (code === PERMISSION_DENIED) {
        beginAgain = () => {
          stopLocation();
          followLocation(isPrecise, onFix, onState);
        };
        watchPermission();
      }
      onState(code === PERMISSION_DENIED ? 'denied' : 'unavailable');
    },
    { enableHighAccuracy: isPrecise, maximumAge: 5_000, timeout: 60_000 },
  );
  watch = { id, isPrecise };
}

export function stopLocation(): void {
  if (watch) navigator.geolocation.clearWatch(watch.id);
  watch = undefined;
  beginAgain = undefined;
}

/** A denied permission ends a watch for good. Restarts it when the permission changes or the app is shown again. */
function watchPermission(): void {
  if (isPermissionWatched) return;
  isPermissionWatched = true;
  const onChange = (): void => beginAgain?.();
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && onChange());
  void navigator.permissions?.query({ name: 'geolocation' }).then(
    (permission) => permission.addEventListener('change', onChange),
    () => undefined,
  );
}
