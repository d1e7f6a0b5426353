import { PbfReader } from 'pbf';
import type { Matrix, RoadRoute } from './router.ts';
import { RoadsError } from './valhallaConfig.ts';

/** Coordinates in the 100 nanodegrees of OpenStreetMap. */
export interface OsmNode {
  id: number;
  lat: number;
  lng: number;
}

export interface OsmTaggedNode extends OsmNode {
  tags: ReadonlyMap<string, string>;
}

export interface OsmWay {
  tags: ReadonlyMap<string, string>;
  nodeIds: number[];
}

interface OsmBlock {
  strings: string[];
  groups: Uint8Array[];
  granularity: number;
  latOffset: number;
  lngOffset: number;
}

/**
 * Extracts have 8,000 nodes or ways in a block, and some programs write more. A file of 30 KB can hold a block of 16
 * million empty ones, which would take gigabytes of memory.
 */
const ENTRIES_MAX = 1_000_000;
/** The bytes of a list of numbers: at least one for each. */
const LIST_BYTES_MAX = 8 * 1024 * 1024;

const tooMany = (what: string): RangeError => new RangeError(`a part has too many ${what}`);

/** Whatever goes wrong while a block is read is a fault of the file. */
function* explained<Entry>(entries: Generator<Entry>): Generator<Entry> {
  try {
    yield* entries;
  } catch (error) {
    throw new RoadsError(`A block of the extract is damaged: ${(error as Error).message}.`);
  }
}

/** A list of numbers in one piece, as all programs write it, or one by one. */
function readNumbers(into: number[], pbf: PbfReader, read: (list: PbfReader) => number): void {
  if (into.length > ENTRIES_MAX) throw tooMany('numbers');
  if (pbf.type !== BYTES) return void into.push(read(pbf));
  const bytes = pbf.readBytes();
  if (bytes.length > LIST_BYTES_MAX) throw tooMany('numbers');
  const list = new PbfReader(bytes);
  while (list.pos < list.length) into.push(read(list));
}

/** The wire type of a field with a length. */
const BYTES = 2;
const plain = (list: PbfReader): number => list.readVarint();
const signed = (list: PbfReader): number => list.readSVarint();

// Field numbers are those of OpenStreetMap's osmformat.proto.

function readBlock(bytes: Uint8Array): OsmBlock {
  const block: OsmBlock = { strings: [], groups: [], granularity: 100, latOffset: 0, lngOffset: 0 };
  return new PbfReader(bytes).readFields((field, into, pbf) => {
    if (field === 1) pbf.readMessage(readString, into.strings);
    else if (field === 2) into.groups.push(pbf.readBytes());
    if (into.groups.length > ENTRIES_MAX || into.strings.length > ENTRIES_MAX) throw tooMany('groups');
    else if (field === 17) into.granularity = pbf.readVarint();
    else if (field === 19) into.latOffset = pbf.readVarint(true);
    else if (field === 20) into.lngOffset = pbf.readVarint(true);
  }, block);
}

function readString(field: number, strings: string[], pbf: PbfReader): void {
  if (field === 1) strings.push(pbf.readString());
}

/** The nodes of a block, in both encodings of extracts: plain and dense. */
export const nodesIn = (bytes: Uint8Array): Generator<OsmNode> => explained(readNodes(bytes, () => NO_TAGS));

const NO_TAGS: ReadonlyMap<string, string> = new Map();

/** The nodes of a block that have tags. */
export function* taggedNodesIn(bytes: Uint8Array): Generator<OsmTaggedNode> {
  for (const node of explained(readNodes(bytes, (pairs) => new Map(pairs()))))
    if (node.tags.size > 0) yield node;
}

type ReadTags = (pairs: () => [string, string][]) => ReadonlyMap<string, string>;

function* readNodes(bytes: Uint8Array, readTags: ReadTags): Generator<OsmTaggedNode> {
  const { strings, groups, granularity, latOffset, lngOffset } = readBlock(bytes);
  const textOf = (index: number): string => strings[index] ?? '';
  const units = (offset: number, value: number) => Math.round((offset + granularity * value) / 100);
  const toNode = (
    id: number,
    lat: number,
    lng: number,
    tags: ReadonlyMap<string, string>,
  ): OsmTaggedNode => ({
    id,
    lat: units(latOffset, lat),
    lng: units(lngOffset, lng),
    tags,
  });
  let count = 0;
  for (const group of groups) {
    const pbf = new PbfReader(group);
    for (let field = pbf.nextField(); field !== 0; field = pbf.nextField()) {
      if (count > ENTRIES_MAX) throw tooMany('nodes');
      if (field === 1) {
        count += 1;
        const node = pbf.readMessage(readNode, { id: 0, lat: 0, lng: 0, keys: [], values: [] });
        const pairs = () =>
          node.keys.map((key, index): [string, string] => [textOf(key), textOf(node.values[index] ?? 0)]);
        yield toNode(node.id, node.lat, node.lng, readTags(pairs));
      } else if (field === 2) {
        const dense = pbf.readMessage(readDense, { ids: [], lats: [], lngs: [], tags: [] });
        count += dense.ids.length;
        if (count > ENTRIES_MAX) throw tooMany('nodes');
        let [id, lat, lng, tag] = [0, 0, 0, 0];
        const pairs = (): [string, string][] => {
          const found: [string, string][] = [];
          for (; tag < dense.tags.length && dense.tags[tag] !== 0; tag += 2)
            found.push([textOf(dense.tags[tag]!), textOf(dense.tags[tag + 1] ?? 0)]);
          tag++;
          return found;
        };
        for (const [index, step] of dense.ids.entries()) {
          id += step;
          lat += dense.lats[index] ?? 0;
          lng += dense.lngs[index] ?? 0;
          yield toNode(id, lat, lng, readTags(pairs));
        }
      }
    }
  }
}

interface RawNode extends OsmNode {
  keys: number[];
  values: number[];
}

function readNode(field: number, node: RawNode, pbf: PbfReader): void {
  if (field === 1) node.id = pbf.readSVarint();
  else if (field === 2) readNumbers(node.keys, pbf, plain);
  else if (field === 3) readNumbers(node.values, pbf, plain);
  else if (field === 8) node.lat = pbf.readSVarint();
  else if (field === 9) node.lng = pbf.readSVarint();
}

/** Each id and coordinate is the difference from the previous one. */
interface DenseNodes {
  ids: number[];
  lats: number[];
  lngs: number[];
  /** Keys and values of one node after the other, as indexes of strings; a 0 ends each node's. */
  tags: number[];
}

function readDense(field: number, dense: DenseNodes, pbf: PbfReader): void {
  if (field === 1) readNumbers(dense.ids, pbf, signed);
  else if (field === 8) readNumbers(dense.lats, pbf, signed);
  else if (field === 9) readNumbers(dense.lngs, pbf, signed);
  else if (field === 10) readNumbers(dense.tags, pbf, plain);
}

/** The ways of a block, streets and others. */
export const waysIn = (bytes: Uint8Array): Generator<OsmWay> => explained(readWays(bytes));

function* readWays(bytes: Uint8Array): Generator<OsmWay> {
  const { strings, groups } = readBlock(bytes);
  for (const group of groups) {
    const pbf = new PbfReader(group);
    for (let field = pbf.nextField(); field !== 0; field = pbf.nextField()) {
      if (field !== 3) continue;
      const way = pbf.readMessage(readWay, { keys: [], values: [], steps: [] });
      yield {
        tags: new Map(
          way.keys.map((key, index) => [strings[key] ?? '', strings[way.values[index] ?? 0] ?? '']),
        ),
        nodeIds: runningSum(way.steps),
      };
    }
  }
}

interface RawWay {
  keys: number[];
  values: number[];
  steps: number[];
}

function readWay(field: number, way: RawWay, pbf: PbfReader): void {
  if (field === 2) readNumbers(way.keys, pbf, plain);
  else if (field === 3) readNumbers(way.values, pbf, plain);
  else if (field === 8) readNumbers(way.steps, pbf, signed);
}

function runningSum(steps: readonly number[]): number[] {
  let sum = 0;
  return steps.map((step) => {
    sum += step;
    return sum;
  });
}

/** Two sides of this size are within the default limits of Valhalla (2,500 pairs) and of OSRM (100 coordinates). */
const BLOCK_SIDE_MAX = 50;
/** Valhalla's default limit for cars, the lowest of all. */
const ROUTE_POINTS_MAX = 20;

/** Computes a matrix of any size from blocks within an engine's limits. Sources and targets are indexes. */
export async function matrixByBlocks(
  size: number,
  ask: (sources: number[], targets: number[]) => Promise<Matrix>,
): Promise<Matrix> {
  const sides = chunks(Array.from({ length: size }, (_, index) => index));
  const bands = await Promise.all(
    sides.map((sources) => Promise.all(sides.map((targets) => ask(sources, targets)))),
  );
  return {
    metres: bands.flatMap((band) => beside(band.map(({ metres }) => metres))),
    seconds: bands.flatMap((band) => beside(band.map(({ seconds }) => seconds))),
  };
}

/** Computes a route over any number of points from pieces, each of which begins where the last one ended. */
export async function routeByPieces<Point>(
  points: readonly Point[],
  ask: (piece: readonly Point[], firstIndex: number) => Promise<RoadRoute>,
): Promise<RoadRoute> {
  const starts: number[] = [];
  for (let start = 0; start < points.length - 1; start += ROUTE_POINTS_MAX - 1) starts.push(start);
  const pieces = await Promise.all(
    starts.map((start) => ask(points.slice(start, start + ROUTE_POINTS_MAX), start)),
  );
  return wholeRoute(
    pieces.flatMap(({ legs }) => legs),
    pieces.map(({ geometry }) => geometry),
  );
}

/** The totals are sums of the rounded legs, so that a receipt that lists the legs adds up. */
export function wholeRoute(legs: RoadRoute['legs'], lines: RoadRoute['geometry'][]): RoadRoute {
  return {
    metres: legs.reduce((sum, { metres }) => sum + metres, 0),
    seconds: legs.reduce((sum, { seconds }) => sum + seconds, 0),
    legs,
    geometry: lines.flatMap((line, index) => (index === 0 ? line : line.slice(1))),
  };
}

function chunks(indexes: number[]): number[][] {
  const parts: number[][] = [];
  for (let start = 0; start < indexes.length; start += BLOCK_SIDE_MAX)
    parts.push(indexes.slice(start, start + BLOCK_SIDE_MAX));
  return parts;
}

const beside = (blocks: (number | null)[][][]): (number | null)[][] =>
  (blocks[0] ?? []).map((_, row) => blocks.flatMap((block) => block[row] ?? []));
