import type { Position } from '../../server/src/kernel/position.ts';
import { type OsmMap, writePbf } from './pbfWriter.ts';

/**
 * A city that no map shows, for tests on real roads without a download.
 *
 *     row 11  +--+--+--+--+--+--+--+--+--+--+--+        12 by 12 corners, 120 m apart, columns from west to east.
 *             |  |  |  |  |  |  |  |  |  |  |  |        Columns 2 and 9 are avenues, and the only ones with a bridge.
 *     row  6  +--+--+--+--+--+--+--+--+--+--+--+        Rows 2 and 8 lead only eastwards, rows 3 and 9 only westwards.
 *     ~ ~ ~ ~ ~ ~ | ~ ~ river ~ ~ ~ ~ ~ | ~ ~ ~         An island of 4 by 4 corners lies 3 km to the east, joined by
 *     row  5  +--+--+--+--+--+--+--+--+--+--+--+        no road; 2.5 km to the north is a field without any.
 *             |  |  |  |  |  |  |  |  |  |  |  |
 *     row  0  +--+--+--+--+--+--+--+--+--+--+--+
 */
const BLOCK_METRES = 120;
const BRIDGE_COLUMNS = [2, 9];
const SIZE = 12;
const ISLAND_SIZE = 4;
const RIVER_AFTER_ROW = 5;
const EASTWARDS = [2, 8];
const WESTWARDS = [3, 9];

const SOUTH_WEST: Position = { lat: -30.06, lng: -51.24 };
const METRES_PER_DEGREE_LAT = 111_320;
const METRES_PER_DEGREE_LNG = METRES_PER_DEGREE_LAT * Math.cos((SOUTH_WEST.lat * Math.PI) / 180);

/** Metres east and north of the city's south-western corner. */
export const cityPoint = (east: number, north: number): Position => ({
  lat: SOUTH_WEST.lat + north / METRES_PER_DEGREE_LAT,
  lng: SOUTH_WEST.lng + east / METRES_PER_DEGREE_LNG,
});

/** A street corner; a fraction lies between two corners, on the street that joins them. */
export const corner = (column: number, row: number): Position =>
  cityPoint(column * BLOCK_METRES, row * BLOCK_METRES);

const ISLAND_EAST = SIZE * BLOCK_METRES + 3000;
export const islandCorner = (column: number, row: number): Position =>
  cityPoint(ISLAND_EAST + column * BLOCK_METRES, row * BLOCK_METRES);

/** Far from any road. */
export const FIELD: Position = cityPoint(600, SIZE * BLOCK_METRES + 2500);

/** As drawn above, or with another choice of bridges, as after a day of building. */
export const writeCity = ({
  bounds = true,
  bridges = BRIDGE_COLUMNS,
}: {
  bounds?: boolean;
  bridges?: number[];
} = {}): Buffer => writePbf(cityMap(bridges), { bounds });

function cityMap(bridges: number[]): OsmMap {
  const map: OsmMap = { nodes: [], ways: [] };
  const node = (at: Position): number => map.nodes.push({ id: map.nodes.length + 1, ...at });
  const way = (nodes: number[], tags: Record<string, string>) =>
    map.ways.push({ id: map.ways.length + 1, nodes, tags });

  const corners = range(SIZE).map((row) => range(SIZE).map((column) => node(corner(column, row))));
  for (const row of range(SIZE))
    way(corners[row]!, { highway: 'residential', name: `Rua ${row + 1}`, maxspeed: '40', ...oneWay(row) });

  for (const column of range(SIZE)) {
    const streets = corners.map((row) => row[column]!);
    const name = `Avenida ${column + 1}`;
    const tags = BRIDGE_COLUMNS.includes(column)
      ? { highway: 'primary', name, maxspeed: '60' }
      : { highway: 'residential', name, maxspeed: '40' };
    way(streets.slice(0, RIVER_AFTER_ROW + 1), tags);
    way(streets.slice(RIVER_AFTER_ROW + 1), tags);
    if (bridges.includes(column))
      way(streets.slice(RIVER_AFTER_ROW, RIVER_AFTER_ROW + 2), { ...tags, bridge: 'yes' });
  }

  const river = [-500, SIZE * BLOCK_METRES + 500].map((east) =>
    node(cityPoint(east, (RIVER_AFTER_ROW + 0.5) * BLOCK_METRES)),
  );
  way(river, { waterway: 'river', name: 'Arroio' });

  const island = range(ISLAND_SIZE).map((row) =>
    range(ISLAND_SIZE).map((column) => node(islandCorner(column, row))),
  );
  for (const index of range(ISLAND_SIZE)) {
    way(island[index]!, { highway: 'residential', name: `Rua da Ilha ${index + 1}` });
    way(
      island.map((row) => row[index]!),
      { highway: 'residential', name: `Travessa da Ilha ${index + 1}` },
    );
  }
  return map;
}

function oneWay(row: number): Record<string, string> {
  if (EASTWARDS.includes(row)) return { oneway: 'yes' };
  return WESTWARDS.includes(row) ? { oneway: '-1' } : {};
}

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
