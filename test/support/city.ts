import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { importRoads } from '../../server/src/geo/routing/importRoads.ts';
import { type Roads, tilesOf } from '../../server/src/geo/routing/roadFolder.ts';
import type { Position } from '../../server/src/platform/kernel/position.ts';

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

/** A point by its distance in metres east and north of the city's south-western corner. */
export const cityPoint = (east: number, north: number): Position => ({
  lat: SOUTH_WEST.lat + north / METRES_PER_DEGREE_LAT,
  lng: SOUTH_WEST.lng + east / METRES_PER_DEGREE_LNG,
});

/** A street corner. A fraction is a point between two corners, on the street that joins them. */
export const corner = (column: number, row: number): Position =>
  cityPoint(column * BLOCK_METRES, row * BLOCK_METRES);

const ISLAND_EAST = SIZE * BLOCK_METRES + 3000;
export const islandCorner = (column: number, row: number): Position =>
  cityPoint(ISLAND_EAST + column * BLOCK_METRES, row * BLOCK_METRES);

/** Far from any road. */
export const FIELD: Position = cityPoint(600, SIZE * BLOCK_METRES + 2500);

/** The map as drawn above, or with other bridges. */
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

export interface CityRoads {
  folder: string;
  /** The tiles of the first import. */
  tiles: string;
  /** Imports the city again with other bridges. */
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

/** The part of OpenStreetMap's data model that a street map consists of. */
export interface OsmMap {
  nodes: { id: number; lat: number; lng: number; tags?: Record<string, string> }[];
  ways: { id: number; nodes: number[]; tags: Record<string, string> }[];
}

/** Coordinates are whole multiples of 100 nanodegrees, the format's default granularity. */
const UNITS_PER_DEGREE = 1e7;

/** The map as an .osm.pbf file: one header blob and one data blob, deflated, with dense nodes. */
export function writePbf(map: OsmMap, { bounds = true }: { bounds?: boolean } = {}): Buffer {
  return Buffer.concat([blob('OSMHeader', header(map, bounds)), blob('OSMData', primitiveBlock(map))]);
}

function header(map: OsmMap, bounds: boolean): Buffer {
  return Buffer.concat([
    ...(bounds && map.nodes.length > 0 ? [bytesField(1, boundingBox(map))] : []),
    textField(4, 'OsmSchema-V0.6'),
    textField(4, 'DenseNodes'),
    textField(16, 'malote tests'),
  ]);
}

function boundingBox({ nodes }: OsmMap): Buffer {
  const nanodegrees = (degrees: number) => Math.round(degrees * UNITS_PER_DEGREE) * 100;
  const lats = nodes.map(({ lat }) => nanodegrees(lat));
  const lngs = nodes.map(({ lng }) => nanodegrees(lng));
  return Buffer.concat(
    [Math.min(...lngs), Math.max(...lngs), Math.max(...lats), Math.min(...lats)].map((side, index) =>
      varintField(index + 1, zigzag(side)),
    ),
  );
}

function primitiveBlock({ nodes, ways }: OsmMap): Buffer {
  // The first string is reserved as a delimiter.
  const strings = [
    '',
    ...new Set([...nodes, ...ways].flatMap(({ tags }) => Object.entries(tags ?? {}).flat())),
  ];
  const indexOf = new Map(strings.map((text, index) => [text, index]));
  const packed = (texts: string[]) => Buffer.concat(texts.map((text) => varint(indexOf.get(text)!)));

  const dense = Buffer.concat([
    bytesField(1, deltas(nodes.map(({ id }) => id))),
    bytesField(8, deltas(nodes.map(({ lat }) => Math.round(lat * UNITS_PER_DEGREE)))),
    bytesField(9, deltas(nodes.map(({ lng }) => Math.round(lng * UNITS_PER_DEGREE)))),
    // Keys and values alternate; a 0 ends each node's tags.
    ...(nodes.some(({ tags }) => tags)
      ? [
          bytesField(
            10,
            Buffer.concat(
              nodes.flatMap(({ tags }) => [packed(Object.entries(tags ?? {}).flat()), varint(0)]),
            ),
          ),
        ]
      : []),
  ]);
  const way = ({ id, nodes: refs, tags }: OsmMap['ways'][number]) =>
    Buffer.concat([
      varintField(1, id),
      bytesField(2, packed(Object.keys(tags))),
      bytesField(3, packed(Object.values(tags))),
      bytesField(8, deltas(refs)),
    ]);

  return Buffer.concat([
    bytesField(1, Buffer.concat(strings.map((text) => textField(1, text)))),
    ...(nodes.length > 0 ? [bytesField(2, bytesField(2, dense))] : []),
    ...(ways.length > 0
      ? [bytesField(2, Buffer.concat(ways.map((drawn) => bytesField(3, way(drawn)))))]
      : []),
  ]);
}

/** A blob's header says its type and size, and is itself preceded by its size in four bytes. */
function blob(type: 'OSMHeader' | 'OSMData', content: Buffer): Buffer {
  const body = Buffer.concat([varintField(2, content.length), bytesField(3, deflateSync(content))]);
  const head = Buffer.concat([textField(1, type), varintField(3, body.length)]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(head.length);
  return Buffer.concat([size, head, body]);
}

const deltas = (numbers: number[]): Buffer =>
  Buffer.concat(numbers.map((number, index) => varint(zigzag(number - (numbers[index - 1] ?? 0)))));

const varintField = (field: number, value: number): Buffer =>
  Buffer.concat([varint(field * 8), varint(value)]);

const bytesField = (field: number, value: Buffer): Buffer =>
  Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);

const textField = (field: number, value: string): Buffer => bytesField(field, Buffer.from(value));

// Arithmetic instead of bit operations: coordinates in nanodegrees exceed 32 bits.
const zigzag = (value: number): number => (value >= 0 ? value * 2 : -value * 2 - 1);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}
