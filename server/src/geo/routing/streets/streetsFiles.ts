import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bounds } from '../extract.ts';
import { type HeldRoads, holdRoads, watchRoads } from '../roadFolder.ts';

/** Beside the engine's tiles, in the folder of a version of the roads (roadFolder.ts). */
export const STREETS_INDEX = 'streets.json';
/** All tiles in sequence, each deflated; the index holds their places. */
export const STREETS_TILES = 'streets.tiles';

export interface StreetsIndex {
  /** The first and the last zoom that have tiles. */
  zooms: [number, number];
  bounds: Bounds;
  /** zoom/x/y: the offset and the number of bytes. */
  tiles: Record<string, [number, number]>;
}

export const tileKey = (zoom: number, x: number, y: number): string => `${zoom}/${x}/${y}`;

/** The drawn streets of one version of the roads. */
export interface Streets {
  version: string;
  /** The attribution on the map: the contributors of OpenStreetMap, or none. */
  origin: 'openstreetmap' | 'own';
  zooms: [number, number];
  bounds: Bounds;
  /** A vector tile, compressed by gzip; undefined where there are no streets. */
  tile(zoom: number, x: number, y: number): Promise<Buffer | undefined>;
}

export interface OpenStreets {
  /** The streets of the current roads; null before the first import, or when none were drawn. */
  current(): Promise<Streets | null>;
  close(): Promise<void>;
}

export const noStreets: OpenStreets = {
  current: async () => null,
  async close() {},
};

interface Opened {
  streets: Streets | null;
  close(): Promise<void>;
}

/** Opened at the first request, and again after each import. */
export function openStreets(folder: string): OpenStreets {
  let opened: Promise<Opened> | undefined;
  const forget = () => {
    const old = opened;
    opened = undefined;
    // Reads in progress get a moment to finish.
    if (old) setTimeout(() => void closeQuietly(old), CLOSE_AFTER_MS).unref();
  };
  const watching = watchRoads(folder, forget);
  return {
    async current() {
      opened ??= openCurrent(folder);
      try {
        const { streets } = await opened;
        // Null is not cached: the next import may be the first.
        if (!streets) opened = undefined;
        return streets;
      } catch {
        opened = undefined;
        return null;
      }
    },
    async close() {
      watching.close();
      if (opened) await closeQuietly(opened);
    },
  };
}

const CLOSE_AFTER_MS = 5_000;

const closeQuietly = (opened: Promise<Opened>): Promise<void> =>
  opened.then((streets) => streets.close()).catch(() => undefined);

async function openCurrent(folder: string): Promise<Opened> {
  const held = await holdRoads(folder);
  if (!held) return { streets: null, async close() {} };
  const home = join(folder, held.version);
  let file: FileHandle | undefined;
  try {
    const index = JSON.parse(await readFile(join(home, STREETS_INDEX), 'utf8')) as StreetsIndex;
    file = await open(join(home, STREETS_TILES));
    return opened(held, index, file);
  } catch (error) {
    await file?.close();
    await held.release();
    throw error;
  }
}

function opened(held: HeldRoads, { zooms, bounds, tiles }: StreetsIndex, file: FileHandle): Opened {
  const places = new Map(Object.entries(tiles));
  return {
    streets: {
      version: held.version,
      origin: 'openstreetmap',
      zooms,
      bounds,
      async tile(zoom, x, y) {
        const [at, length] = places.get(tileKey(zoom, x, y)) ?? [0, 0];
        if (length === 0) return undefined;
        const { buffer } = await file.read(Buffer.alloc(length), 0, length, at);
        return buffer;
      },
    },
    async close() {
      await file.close();
      await held.release();
    },
  };
}
