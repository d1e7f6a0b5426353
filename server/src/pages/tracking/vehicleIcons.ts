import type { Profile } from '../../geo/routing/router.ts';

/** SVG paths of 24 by 24, shown beside text with the same meaning. A parcel stands for an unknown vehicle. */
export const VEHICLE_ICONS: Record<Profile | 'unknown', string> = {
  unknown: 'M12 2 3 6v12l9 4 9-4V6zm0 2.2 5.8 2.6-5.8 2.6-5.8-2.6zM5 8.5l6 2.7v8l-6-2.7zm8 10.7v-8l6-2.7v8z',
  motorcycle:
    'M5 16a3 3 0 1 0 0 6 3 3 0 0 0 0-6m14 0a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 19h7.5L18 12h-3l-2-5H9.5v2h2.2l1 2.5L8.5 16M3 5h6v5H3z',
  car: 'M5 11l1.5-4.5A2 2 0 0 1 8.4 5h7.2a2 2 0 0 1 1.9 1.5L19 11h.5a1.5 1.5 0 0 1 1.5 1.5V18h-2v1.5a1 1 0 0 1-2 0V18H7v1.5a1 1 0 0 1-2 0V18H3v-5.5A1.5 1.5 0 0 1 4.5 11zm2.1 0h9.8l-1.1-3.5a.7.7 0 0 0-.7-.5H8.9a.7.7 0 0 0-.7.5zM6.5 16a1.3 1.3 0 1 0 0-2.6 1.3 1.3 0 0 0 0 2.6zm11 0a1.3 1.3 0 1 0 0-2.6 1.3 1.3 0 0 0 0 2.6z',
  bicycle:
    'M15.5 5.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM5 12a5 5 0 1 0 0 10 5 5 0 0 0 0-10zm0 8.5a3.5 3.5 0 1 1 0-7 3.5 3.5 0 0 1 0 7zM10.8 10.5l2.4-2.4.8.8a6.5 6.5 0 0 0 4.7 2v-2a4.6 4.6 0 0 1-3.3-1.4l-1.9-1.9a1.9 1.9 0 0 0-2.7 0L7.8 8.4a1.8 1.8 0 0 0 0 2.7l3.2 2.8V19h2v-6.2zM19 12a5 5 0 1 0 0 10 5 5 0 0 0 0-10zm0 8.5a3.5 3.5 0 1 1 0-7 3.5 3.5 0 0 1 0 7z',
};
