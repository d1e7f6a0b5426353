import { gzipSync } from 'node:zlib';
import type { Position } from '../../kernel/position.ts';
import { boundsOf, tilesOf } from './drawStreets.ts';
import { STREETS_ZOOM_MAX, STREETS_ZOOM_MIN, type Street, UNITS_PER_DEGREE } from './readStreets.ts';
import { type OpenStreets, type Streets, tileKey } from './streetsFiles.ts';

/** A street that comes from no extract. */
export interface DrawnStreet extends Pick<Street, 'class' | 'name'> {
  line: readonly Position[];
}

/** A few hand-made streets, drawn at the first request. They need no attribution. */
export function streetsInMemory(version: string, streets: readonly DrawnStreet[]): OpenStreets {
  let drawn: Streets | undefined;
  return {
    async current() {
      drawn ??= draw(version, streets);
      return drawn;
    },
    async close() {},
  };
}

function draw(version: string, streets: readonly DrawnStreet[]): Streets {
  const lines = streets.map(({ line, ...street }) => ({
    ...street,
    line: Int32Array.from(
      line.flatMap(({ lat, lng }) => [
        Math.round(lng * UNITS_PER_DEGREE),
        Math.round(lat * UNITS_PER_DEGREE),
      ]),
    ),
  }));
  const tiles = new Map<string, Buffer>();
  for (let zoom = STREETS_ZOOM_MIN; zoom <= STREETS_ZOOM_MAX; zoom++)
    for (const [key, tile] of tilesOf(lines, zoom)) tiles.set(key, gzipSync(tile.encode()));
  return {
    version,
    origin: 'own',
    zooms: [STREETS_ZOOM_MIN, STREETS_ZOOM_MAX],
    bounds: boundsOf(lines),
    tile: async (zoom, x, y) => tiles.get(tileKey(zoom, x, y)),
  };
}

/** The first source that has streets. Checked each time, because an import may add some. */
export const firstStreets = (...sources: readonly OpenStreets[]): OpenStreets => ({
  async current() {
    for (const source of sources) {
      const streets = await source.current();
      if (streets) return streets;
    }
    return null;
  },
  async close() {
    await Promise.all(sources.map((source) => source.close()));
  },
});
