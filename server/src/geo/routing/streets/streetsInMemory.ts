import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Position } from '../../../platform/kernel/position.ts';
import { type Ground, groundTilesOf, unitsOf } from './drawGround.ts';
import { boundsOf, tilesOf } from './drawStreets.ts';
import { firstZoomOf, STREETS_ZOOM_MAX, STREETS_ZOOM_MIN, type Street } from './readStreets.ts';
import { type OpenStreets, type Streets, tileKey } from './streetsFiles.ts';

/** A street that comes from no extract. */
export interface DrawnStreet extends Pick<Street, 'class' | 'name' | 'oneWay'> {
  line: readonly Position[];
}

/** Invented streets, drawn at the first request. They need no attribution. */
export function streetsInMemory(version: string, describe: () => DrawnMap): OpenStreets {
  let drawn: Promise<Streets> | undefined;
  return {
    async current() {
      drawn ??= draw(version, describe());
      return drawn;
    },
    async close() {},
  };
}

export interface DrawnMap {
  streets: readonly DrawnStreet[];
  ground: Ground;
}

/** A single city has room for its small streets earlier than a state. */
const FIRST_ZOOM = { ...firstZoomOf, avenue: 10, street: 11, lane: 12 };

/** Zoom by zoom, so that other requests are answered in between. */
async function draw(version: string, { streets, ground }: DrawnMap): Promise<Streets> {
  const lines = streets.map(({ line, ...street }) => ({ ...street, line: unitsOf(line) }));
  const tiles = new Map<string, Buffer>();
  for (let zoom = STREETS_ZOOM_MIN; zoom <= STREETS_ZOOM_MAX; zoom++) {
    const layers = groundTilesOf(ground, zoom);
    for (const [key, tile] of tilesOf(lines, zoom, FIRST_ZOOM))
      layers.set(key, [...(layers.get(key) ?? []), tile]);
    for (const [key, parts] of layers)
      tiles.set(key, await promisify(gzip)(Buffer.concat(parts.map((part) => part.encode()))));
  }
  return {
    version,
    origin: 'own',
    zooms: [STREETS_ZOOM_MIN, STREETS_ZOOM_MAX],
    bounds: boundsOf([...lines, ...ground.areas.map(({ ring }) => ({ line: unitsOf(ring) }))]),
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
