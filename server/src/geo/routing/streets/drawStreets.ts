import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Bounds } from '../extract.ts';
import {
  ARROWS_ZOOM_MIN,
  firstZoomOf,
  NAMES_ZOOM_MIN,
  readStreets,
  STREETS_ZOOM_MAX,
  STREETS_ZOOM_MIN,
  type Street,
  UNITS_PER_DEGREE,
} from './readStreets.ts';
import { STREETS_INDEX, STREETS_TILES, type StreetsIndex, tileKey } from './streetsFiles.ts';
import { cutIntoTiles, project, simplify, VectorTile } from './vectorTile.ts';

/** A few states; larger extracts are used for routing but not drawn. */
const PLACES_MAX = 20_000_000;
/** In units of a tile; eight of them are one pixel. */
const TOLERANCE = 4;

/**
 * Draws the streets of an extract as vector tiles of all zooms into `folder`, from which pages show them. False
 * when there are none, or too many.
 */
export async function drawStreets(pbf: string, folder: string, signal?: AbortSignal): Promise<boolean> {
  const streets = await readStreets(pbf, PLACES_MAX);
  if (!streets?.length) return false;
  const index: StreetsIndex = {
    zooms: [STREETS_ZOOM_MIN, STREETS_ZOOM_MAX],
    bounds: boundsOf(streets),
    tiles: {},
  };
  const file = await open(join(folder, STREETS_TILES), 'w');
  try {
    let at = 0;
    for (let zoom = STREETS_ZOOM_MIN; zoom <= STREETS_ZOOM_MAX; zoom++)
      for (const [key, tile] of tilesOf(streets, zoom)) {
        if (signal?.aborted) return false;
        const bytes = await promisify(gzip)(tile.encode(), { level: 9 });
        await file.write(bytes);
        index.tiles[key] = [at, bytes.length];
        at += bytes.length;
      }
    await file.sync();
  } finally {
    await file.close();
  }
  await writeFile(join(folder, STREETS_INDEX), JSON.stringify(index), { flush: true });
  return true;
}

/** The tiles of one zoom that have streets, by their keys. */
export function tilesOf(
  streets: readonly Street[],
  zoom: number,
  firstZoom: Readonly<Record<Street['class'], number>> = firstZoomOf,
): Map<string, VectorTile> {
  const tiles = new Map<string, VectorTile>();
  for (const { class: kind, name, oneWay, line } of streets) {
    if (zoom < firstZoom[kind]) continue;
    const properties = {
      class: kind,
      ...(zoom >= NAMES_ZOOM_MIN && name && { name }),
      ...(zoom >= ARROWS_ZOOM_MIN && oneWay && { oneway: 'yes' }),
    };
    for (const part of cutIntoTiles(simplify(project(line, zoom), TOLERANCE))) {
      const key = tileKey(zoom, part.x, part.y);
      let tile = tiles.get(key);
      if (!tile) {
        tile = new VectorTile('streets');
        tiles.set(key, tile);
      }
      tile.addLine(part.line, properties);
    }
  }
  return tiles;
}

export function boundsOf(streets: readonly Pick<Street, 'line'>[]): Bounds {
  const bounds = { south: Infinity, west: Infinity, north: -Infinity, east: -Infinity };
  for (const { line } of streets)
    for (let index = 0; index < line.length; index += 2) {
      bounds.west = Math.min(bounds.west, line[index]! / UNITS_PER_DEGREE);
      bounds.east = Math.max(bounds.east, line[index]! / UNITS_PER_DEGREE);
      bounds.south = Math.min(bounds.south, line[index + 1]! / UNITS_PER_DEGREE);
      bounds.north = Math.max(bounds.north, line[index + 1]! / UNITS_PER_DEGREE);
    }
  return bounds;
}
