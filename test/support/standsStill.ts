import type { Locator } from 'playwright-core';
import { waitUntil } from './waitUntil.ts';

/** A picture takes seconds on a busy machine. */
const PATIENCE_MS = 90_000;

/** Maps draw themselves piece by piece and glide: waits until what is seen is the same three times in a row. */
export async function standsStill(place: Locator): Promise<void> {
  let last = '';
  let same = 0;
  await waitUntil(
    'the picture stands still',
    async () => {
      const picture = (await place.screenshot()).toString('base64');
      same = picture === last ? same + 1 : 0;
      last = picture;
      return same === 2;
    },
    PATIENCE_MS,
  );
}

/** The map reacts to clicks, and shows the part of the world that it will go on showing. */
export async function mapIsReady(map: Locator): Promise<void> {
  await map.locator('.maplibregl-ctrl-scale').waitFor();
  await standsStill(map);
}
