import { serverNow } from '../../../console/src/clock.ts';
import type { Fix } from '../core/positions.ts';

export type LocationState = 'off' | 'on' | 'denied' | 'unavailable';

let watch: { id: number; isPrecise: boolean } | undefined;

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
      // The phone's clock may be wrong; how old the fix is, it knows.
      const age = Math.max(0, Date.now() - timestamp);
      onFix({
        lat: coords.latitude,
        lng: coords.longitude,
        accuracy: coords.accuracy,
        at: serverNow() - age,
      });
    },
    ({ code, PERMISSION_DENIED }) => onState(code === PERMISSION_DENIED ? 'denied' : 'unavailable'),
    { enableHighAccuracy: isPrecise, maximumAge: 5_000, timeout: 60_000 },
  );
  watch = { id, isPrecise };
}

export function stopLocation(): void {
  if (watch) navigator.geolocation.clearWatch(watch.id);
  watch = undefined;
}
