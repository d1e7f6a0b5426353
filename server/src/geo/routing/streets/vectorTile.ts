import { PbfWriter } from 'pbf';
import { UNITS_PER_DEGREE } from './readStreets.ts';

interface Feature {
  kind: number;
  tags: number[];
  geometry: number[];
}

/**
 * One tile in the Mapbox Vector Tile format, version 2, with a single layer. Each feature carries text
 * properties; each text is stored once in the tile. Encoded tiles that follow each other are one tile with the layers
 * of all. Field numbers are those of vector_tile.proto.
 */
export class VectorTile {
  readonly #layer: string;
  readonly #features: Feature[] = [];
  readonly #keys = new Map<string, number>();
  readonly #values = new Map<string, number>();

  constructor(layer: string) {
    this.#layer = layer;
  }

  addLine(line: readonly number[], properties: Properties): void {
    this.#add(LINE_STRING, lineCommands(line), properties);
  }

  /** Clockwise on the screen, without the first point again at the end. */
  addPolygon(ring: readonly number[], properties: Properties): void {
    this.#add(POLYGON, [...lineCommands(ring), CLOSE_PATH | (1 << 3)], properties);
  }

  addPoint([x, y]: readonly [number, number], properties: Properties): void {
    this.#add(POINT, [MOVE_TO | (1 << 3), zigzag(x), zigzag(y)], properties);
  }

  #add(kind: number, geometry: number[], properties: Properties): void {
    const tags = Object.entries(properties).flatMap(([key, value]) => [
      numbered(this.#keys, key),
      numbered(this.#values, value),
    ]);
    this.#features.push({ kind, tags, geometry });
  }

  encode(): Uint8Array {
    const writer = new PbfWriter();
    writer.writeMessage(3, (tile: VectorTile, pbf) => tile.#writeLayer(pbf), this);
    return writer.finish();
  }

  #writeLayer(pbf: PbfWriter): void {
    pbf.writeVarintField(15, 2);
    pbf.writeStringField(1, this.#layer);
    for (const feature of this.#features) pbf.writeMessage(2, writeFeature, feature);
    for (const key of this.#keys.keys()) pbf.writeStringField(3, key);
    for (const value of this.#values.keys()) pbf.writeMessage(4, writeValue, value);
    pbf.writeVarintField(5, TILE_EXTENT);
  }
}

type Properties = Readonly<Record<string, string>>;

const POINT = 1;
const LINE_STRING = 2;
const POLYGON = 3;
const MOVE_TO = 1;
const LINE_TO = 2;
const CLOSE_PATH = 7;

function writeFeature({ kind, tags, geometry }: Feature, pbf: PbfWriter): void {
  pbf.writePackedVarint(2, tags);
  pbf.writeVarintField(3, kind);
  pbf.writePackedVarint(4, geometry);
}

function writeValue(text: string, pbf: PbfWriter): void {
  pbf.writeStringField(1, text);
}

/** One move to the beginning, then one run of lines, each as the difference from the previous point. */
function lineCommands(line: readonly number[]): number[] {
  const commands = [MOVE_TO | (1 << 3), zigzag(line[0]!), zigzag(line[1]!)];
  commands.push(LINE_TO | ((line.length / 2 - 1) << 3));
  for (let index = 2; index < line.length; index += 2)
    commands.push(zigzag(line[index]! - line[index - 2]!), zigzag(line[index + 1]! - line[index - 1]!));
  return commands;
}

function numbered(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  numbers.set(text, numbers.size);
  return numbers.size - 1;
}

const zigzag = (value: number): number => ((value << 1) ^ (value >> 31)) >>> 0;

/** x, y, x, y … */
export type Line = readonly number[];

/** The side of a tile in its own units, as is usual for vector tiles. */
export const TILE_EXTENT = 4096;
/** Lines continue this far beyond a tile's edge, so that their ends are not visible. */
export const TILE_MARGIN = 64;

/** Projects onto the square world map (Web Mercator), in units of the tiles of one zoom. */
export function project(line: Int32Array, zoom: number): number[] {
  const size = TILE_EXTENT * 2 ** zoom;
  const projected: number[] = [];
  for (let index = 0; index < line.length; index += 2) {
    const lng = line[index]! / UNITS_PER_DEGREE;
    const sine = Math.sin(((line[index + 1]! / UNITS_PER_DEGREE) * Math.PI) / 180);
    projected.push(
      size * (lng / 360 + 0.5),
      size * (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)),
    );
  }
  return projected;
}

/** Douglas-Peucker: omits points within `tolerance` of the simplified line. */
export function simplify(line: Line, tolerance: number): number[] {
  const last = line.length / 2 - 1;
  const keeps = new Uint8Array(last + 1);
  keeps[0] = 1;
  keeps[last] = 1;
  const open: [number, number][] = [[0, last]];
  for (let span = open.pop(); span; span = open.pop()) {
    const [from, to] = span;
    let farthest = 0;
    let largest = tolerance * tolerance;
    for (let index = from + 1; index < to; index++) {
      const distance = squaredDistance(line, index, from, to);
      if (distance <= largest) continue;
      farthest = index;
      largest = distance;
    }
    if (farthest === 0) continue;
    keeps[farthest] = 1;
    open.push([from, farthest], [farthest, to]);
  }
  const kept: number[] = [];
  for (let index = 0; index <= last; index++)
    if (keeps[index]) kept.push(line[index * 2]!, line[index * 2 + 1]!);
  return kept;
}

function squaredDistance(line: Line, index: number, from: number, to: number): number {
  const [x, y] = [line[index * 2]!, line[index * 2 + 1]!];
  const [x1, y1] = [line[from * 2]!, line[from * 2 + 1]!];
  const [dx, dy] = [line[to * 2]! - x1, line[to * 2 + 1]! - y1];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / length));
  return (x - x1 - share * dx) ** 2 + (y - y1 - share * dy) ** 2;
}

export interface TilePart {
  x: number;
  y: number;
  /** In the tile's own whole units. */
  line: number[];
}

/** The part of a projected line that each tile shows. */
export function* cutIntoTiles(line: Line): Generator<TilePart> {
  const [west, north, east, south] = boundsOf(line);
  const tileOf = (units: number) => Math.floor(units / TILE_EXTENT);
  for (let x = tileOf(west - TILE_MARGIN); x <= tileOf(east + TILE_MARGIN); x++)
    for (let y = tileOf(north - TILE_MARGIN); y <= tileOf(south + TILE_MARGIN); y++)
      for (const part of clip(line, x * TILE_EXTENT, y * TILE_EXTENT)) {
        const whole = rounded(part, x * TILE_EXTENT, y * TILE_EXTENT);
        if (whole.length >= 4) yield { x, y, line: whole };
      }
}

function boundsOf(line: Line): [west: number, north: number, east: number, south: number] {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let index = 0; index < line.length; index += 2) {
    west = Math.min(west, line[index]!);
    east = Math.max(east, line[index]!);
    north = Math.min(north, line[index + 1]!);
    south = Math.max(south, line[index + 1]!);
  }
  return [west, north, east, south];
}

/** Liang-Barsky for each segment; a line that leaves and returns gives several parts. */
function clip(line: Line, left: number, top: number): number[][] {
  const [minX, minY] = [left - TILE_MARGIN, top - TILE_MARGIN];
  const [maxX, maxY] = [left + TILE_EXTENT + TILE_MARGIN, top + TILE_EXTENT + TILE_MARGIN];
  const parts: number[][] = [];
  let part: number[] = [];
  for (let index = 0; index + 3 < line.length; index += 2) {
    const [x1, y1, x2, y2] = [line[index]!, line[index + 1]!, line[index + 2]!, line[index + 3]!];
    const [dx, dy] = [x2 - x1, y2 - y1];
    let [enters, leaves] = [0, 1];
    for (const [step, room] of [
      [-dx, x1 - minX],
      [dx, maxX - x1],
      [-dy, y1 - minY],
      [dy, maxY - y1],
    ] as const) {
      if (step === 0) {
        if (room < 0) leaves = -1;
      } else if (step < 0) enters = Math.max(enters, room / step);
      else leaves = Math.min(leaves, room / step);
    }
    if (enters > leaves) continue;
    if (enters > 0 || part.length === 0) {
      if (part.length) parts.push(part);
      part = [x1 + enters * dx, y1 + enters * dy];
    }
    part.push(x1 + leaves * dx, y1 + leaves * dy);
    if (leaves === 1) continue;
    parts.push(part);
    part = [];
  }
  if (part.length) parts.push(part);
  return parts;
}

/** Equal consecutive points count once. */
function rounded(line: Line, left: number, top: number): number[] {
  const whole: number[] = [];
  for (let index = 0; index < line.length; index += 2) {
    const [x, y] = [Math.round(line[index]! - left), Math.round(line[index + 1]! - top)];
    if (whole.length === 0 || whole.at(-2) !== x || whole.at(-1) !== y) whole.push(x, y);
  }
  return whole;
}
