import { blocksOf } from '../extract.ts';
import { nodesIn, waysIn } from '../osmBlock.ts';

/** A street as the extract stores it: by the ids of its nodes. */
interface Way {
  class: StreetClass;
  name: string;
  oneWay: boolean;
  nodes: number[];
}

/** The lines of all streets of an extract. Null when they have more than `placesMax` nodes. */
export async function readStreets(pbf: string, placesMax: number): Promise<Street[] | null> {
  const ways: Way[] = [];
  let places = 0;
  for await (const block of blocksOf(pbf))
    for (const way of streetsIn(block)) {
      ways.push(way);
      places += way.nodes.length;
      if (places > placesMax) return null;
    }
  const joined = joinWays(ways);
  const at = await findPlaces(pbf, joined);
  return joined.flatMap(({ nodes, ...street }) => {
    const line = at(nodes);
    return line.length >= 4 ? [{ ...street, line }] : [];
  });
}

function* streetsIn(block: Buffer): Generator<Way> {
  for (const { tags, nodeIds } of waysIn(block)) {
    const kind = classOf(tags);
    if (!kind || nodeIds.length === 0) continue;
    const direction = directionOf(tags);
    yield {
      class: kind,
      name: tags.get('name') ?? '',
      oneWay: direction !== 'both',
      nodes: direction === 'back' ? nodeIds.toReversed() : nodeIds,
    };
  }
}

/**
 * Mappers split a street at every bridge and change of speed. Consecutive pieces of one name are joined again, so
 * that the name fits along the line.
 */
function joinWays(ways: readonly Way[]): Way[] {
  const joined: Way[] = [];
  const beginning = new Map<string, Way[]>();
  const keyOf = (way: Way, node: number | undefined) => `${way.class}|${way.name}|${way.oneWay}|${node}`;
  for (const way of ways) {
    const key = keyOf(way, way.nodes[0]);
    const sharing = beginning.get(key);
    if (sharing) sharing.push(way);
    else beginning.set(key, [way]);
  }
  const taken = new Set<Way>();
  const takeNext = (way: Way, node: number | undefined): Way | undefined => {
    const next = beginning.get(keyOf(way, node))?.find((piece) => !taken.has(piece));
    if (next) taken.add(next);
    return next;
  };
  const ends = new Set(ways.map((way) => keyOf(way, way.nodes.at(-1))));
  // Pieces that continue no other come first: they begin the lines. Afterwards only rings are left.
  const firsts = ways.filter((way) => !ends.has(keyOf(way, way.nodes[0])));
  for (const first of [...firsts, ...ways]) {
    if (taken.has(first)) continue;
    taken.add(first);
    const nodes = [...first.nodes];
    for (let next = takeNext(first, nodes.at(-1)); next; next = takeNext(first, nodes.at(-1)))
      for (const node of next.nodes.slice(1)) nodes.push(node);
    joined.push({ ...first, nodes });
  }
  return joined;
}

/** Typed arrays instead of maps: a state has millions of nodes. */
async function findPlaces(pbf: string, ways: readonly Way[]): Promise<(nodes: number[]) => Int32Array> {
  const ids = sortedIds(ways);
  const found = new Int32Array(ids.length * 2).fill(NOWHERE);
  for await (const block of blocksOf(pbf))
    for (const { id, lng, lat } of nodesIn(block)) {
      const index = indexOf(ids, id);
      if (index < 0) continue;
      found[index * 2] = lng;
      found[index * 2 + 1] = lat;
    }
  return (nodes) => {
    const line: number[] = [];
    for (const node of nodes) {
      const index = indexOf(ids, node);
      const lng = found[index * 2];
      // An extract is cut out of a larger map: a street may refer to nodes outside it.
      if (lng !== undefined && lng !== NOWHERE) line.push(lng, found[index * 2 + 1]!);
    }
    return Int32Array.from(line);
  };
}

const NOWHERE = -(2 ** 31);

function sortedIds(ways: readonly Way[]): Float64Array {
  let count = 0;
  for (const { nodes } of ways) count += nodes.length;
  const all = new Float64Array(count);
  let at = 0;
  for (const { nodes } of ways) {
    all.set(nodes, at);
    at += nodes.length;
  }
  all.sort();
  return all.filter((id, index) => id !== all[index - 1]);
}

function indexOf(ids: Float64Array, id: number): number {
  let low = 0;
  let high = ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = ids[middle]!;
    if (found === id) return middle;
    if (found < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The importance of a street, highest first; it decides from which zoom on the street is drawn. */
const STREET_CLASSES = ['highway', 'main', 'avenue', 'street', 'lane'] as const;
type StreetClass = (typeof STREET_CLASSES)[number];

export interface Street {
  class: StreetClass;
  name: string;
  /** The traffic runs along the line only. */
  oneWay: boolean;
  /** lng, lat, lng, lat …, in the 100 nanodegrees of OpenStreetMap. */
  line: Int32Array;
}

export const UNITS_PER_DEGREE = 1e7;

const classOfHighway: Readonly<Record<string, StreetClass>> = {
  motorway: 'highway',
  motorway_link: 'highway',
  trunk: 'highway',
  trunk_link: 'highway',
  primary: 'main',
  primary_link: 'main',
  secondary: 'avenue',
  secondary_link: 'avenue',
  tertiary: 'avenue',
  tertiary_link: 'avenue',
  residential: 'street',
  unclassified: 'street',
  living_street: 'street',
  pedestrian: 'street',
  road: 'street',
  service: 'lane',
};

/** Undefined for what a courier does not drive on: paths, stairs, aisles of car parks, squares. */
function classOf(tags: ReadonlyMap<string, string>): StreetClass | undefined {
  const highway = tags.get('highway');
  if (highway === undefined || tags.get('area') === 'yes') return undefined;
  if (highway === 'service' && tags.has('service')) return undefined;
  return classOfHighway[highway];
}

/** Where the traffic runs, seen along the line of the way. */
function directionOf(tags: ReadonlyMap<string, string>): 'ahead' | 'back' | 'both' {
  const oneWay = tags.get('oneway');
  if (oneWay === '-1' || oneWay === 'reverse') return 'back';
  if (oneWay === 'yes' || oneWay === 'true' || oneWay === '1') return 'ahead';
  if (oneWay !== undefined) return 'both';
  return tags.get('junction') === 'roundabout' || tags.get('highway') === 'motorway' ? 'ahead' : 'both';
}

/** Cities and states are drawn from the first zoom at which they are visible. */
export const firstZoomOf: Readonly<Record<StreetClass, number>> = {
  highway: 7,
  main: 9,
  avenue: 11,
  street: 13,
  lane: 14,
};
/** Beyond this zoom its tiles are enlarged: they are exact to half a metre. */
export const STREETS_ZOOM_MAX = 14;
export const STREETS_ZOOM_MIN = 7;
/** Smaller maps show no names, so their tiles contain none. */
export const NAMES_ZOOM_MIN = 12;
/** Maps draw arrows only where they enlarge the tiles of the last zoom. */
export const ARROWS_ZOOM_MIN = 14;
