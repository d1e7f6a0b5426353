import { haversineMetres, type Position } from '../../../platform/kernel/position.ts';
import { blocksOf, surveyExtract } from '../../routing/extract.ts';
import { nodesIn, taggedNodesIn, waysIn } from '../../routing/osmBlock.ts';
import { RoadsError } from '../../routing/valhallaConfig.ts';
import { AddressesError } from './addressesError.ts';
import type { RowSink } from './addressRow.ts';
import { findMunicipality, municipalityNear } from './municipalities.ts';
import { parsePostcode } from './standardise.ts';

const UNITS_PER_DEGREE = 1e7;
/** A street is placed by some of its nodes. */
const NODES_PER_STREET = 3;
const DISTRICT_METRES_MAX = 2500;
const CELLS_PER_DEGREE = 100;
/** A point of a street, and a building or entrance with a number. */
const QUALITY = { street: 3, door: 1 };

type Tags = ReadonlyMap<string, string>;

interface Way {
  tags: Tags;
  nodes: number[];
}

/**
 * Reads streets, house numbers and districts of an OpenStreetMap extract. Few streets in Brazil have numbers there;
 * the others are found as streets. Municipalities are those of the nearest seat, unless an address names its own.
 */
export async function readOsmAddresses(
  path: string,
  sink: RowSink,
  onBytes: (bytes: number) => void,
): Promise<void> {
  try {
    await readExtract(path, sink, onBytes);
  } catch (error) {
    if (error instanceof RoadsError) throw new AddressesError(error.message);
    throw error;
  }
}

async function readExtract(path: string, sink: RowSink, onBytes: (bytes: number) => void): Promise<void> {
  const { bytes } = await surveyExtract(path);
  const ways: Way[] = [];
  const districts: { name: string; position: Position }[] = [];
  const doors: { tags: Tags; position: Position }[] = [];
  for await (const block of blocksOf(path)) {
    for (const { tags, nodeIds } of waysIn(block))
      if (isDoor(tags)) ways.push({ tags, nodes: nodeIds.slice(0, 1) });
      else if (isStreet(tags)) ways.push({ tags: onlyName(tags), nodes: spread(nodeIds) });
    for (const { tags, lat, lng } of taggedNodesIn(block)) {
      const position = { lat: lat / UNITS_PER_DEGREE, lng: lng / UNITS_PER_DEGREE };
      if (isDoor(tags)) doors.push({ tags, position });
      else if (isDistrict(tags)) districts.push({ name: tags.get('name')!, position });
    }
  }
  onBytes(bytes / 2);
  const place = placesOf(districts);
  const positionOf = await findNodes(path, ways);
  for (const { tags, nodes } of ways)
    for (const node of nodes) {
      const position = positionOf(node);
      if (position) sink.add(rowOf(tags, position, place));
    }
  await sink.rest();
  for (const { tags, position } of doors) sink.add(rowOf(tags, position, place));
  await sink.rest();
  onBytes(bytes);
}

const isDoor = (tags: Tags): boolean => tags.has('addr:housenumber') && tags.has('addr:street');
const isStreet = (tags: Tags): boolean => tags.has('highway') && (tags.get('name') ?? '') !== '';
const isDistrict = (tags: Tags): boolean =>
  /^(suburb|neighbourhood|quarter)$/.test(tags.get('place') ?? '') && (tags.get('name') ?? '') !== '';
const onlyName = (tags: Tags): Tags => new Map([['name', tags.get('name')!]]);

const spread = (nodes: readonly number[]): number[] =>
  nodes.length <= NODES_PER_STREET ? [...nodes] : [nodes[0]!, nodes[nodes.length >> 1]!, nodes.at(-1)!];

interface Placed {
  municipality: number;
  district: string;
}

function rowOf(tags: Tags, position: Position, place: (position: Position) => Placed) {
  const placed = place(position);
  const city = tags.get('addr:city');
  const named = city === undefined ? undefined : findMunicipality(city, null, position);
  const isNumbered = isDoor(tags);
  return {
    municipality: named?.code ?? placed.municipality,
    district: tags.get('addr:suburb') ?? placed.district,
    street: tags.get(isNumbered ? 'addr:street' : 'name')!,
    number: isNumbered ? Number.parseInt(tags.get('addr:housenumber')!, 10) % 1_000_000 || 0 : 0,
    postcode: Number(parsePostcode(tags.get('addr:postcode'))) || 0,
    lat: position.lat,
    lng: position.lng,
    quality: isNumbered ? QUALITY.door : QUALITY.street,
  };
}

/** Finds the place once for each cell of about a kilometre: a search for each position of a large extract is slow. */
function placesOf(
  districts: readonly { name: string; position: Position }[],
): (position: Position) => Placed {
  const known = new Map<string, Placed>();
  return (position) => {
    const cell = `${Math.round(position.lat * CELLS_PER_DEGREE)},${Math.round(position.lng * CELLS_PER_DEGREE)}`;
    let placed = known.get(cell);
    if (!placed) {
      let [name, nearest] = ['', DISTRICT_METRES_MAX];
      for (const district of districts) {
        const metres = haversineMetres(district.position, position);
        if (metres < nearest) [name, nearest] = [district.name, metres];
      }
      placed = { municipality: municipalityNear(position).code, district: name };
      known.set(cell, placed);
    }
    return placed;
  };
}

/** Positions of the nodes that ways name, in 16 bytes each. */
async function findNodes(
  path: string,
  ways: readonly Way[],
): Promise<(node: number) => Position | undefined> {
  const ids = Float64Array.from(new Set(ways.flatMap(({ nodes }) => nodes))).sort();
  const lats = new Int32Array(ids.length);
  const lngs = new Int32Array(ids.length);
  const indexOf = (id: number): number => {
    let [low, high] = [0, ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ids[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return ids[low] === id ? low : -1;
  };
  for await (const block of blocksOf(path))
    for (const { id, lat, lng } of nodesIn(block)) {
      const index = indexOf(id);
      if (index !== -1) [lats[index], lngs[index]] = [lat, lng];
    }
  return (node) => {
    const index = indexOf(node);
    // Nodes outside the extract were never found.
    if (index === -1 || (lats[index] === 0 && lngs[index] === 0)) return undefined;
    return { lat: lats[index]! / UNITS_PER_DEGREE, lng: lngs[index]! / UNITS_PER_DEGREE };
  };
}
