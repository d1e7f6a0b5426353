import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importRoads } from '../../server/src/routing/importRoads.ts';
import { type Roads, tilesOf } from '../../server/src/routing/roads.ts';
import { writeCity } from './city.ts';

export interface CityRoads {
  folder: string;
  /** Of the first import. */
  tiles: string;
  /** Imports the city again, with another choice of bridges. */
  rebuild(bridges: number[]): Promise<Roads>;
  remove(): Promise<void>;
}

/** The generated city's roads in a folder of their own, built by the real tile builder in half a second. */
export async function buildCityRoads(): Promise<CityRoads> {
  const folder = await mkdtemp(join(tmpdir(), 'malote-roads-'));
  const pbf = join(folder, 'city.osm.pbf');
  const rebuild = async (bridges?: number[]) => {
    await writeFile(pbf, writeCity(bridges ? { bridges } : {}));
    return importRoads({ pbf, folder });
  };
  const { version } = await rebuild();
  return {
    folder,
    tiles: tilesOf(folder, version),
    rebuild,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
