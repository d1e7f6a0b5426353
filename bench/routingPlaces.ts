import { readFileSync } from 'node:fs';
import type { Bounds } from '../server/src/geo/routing/extract.ts';
import { PointOffRoad, type Router } from '../server/src/geo/routing/router.ts';
import type { Position } from '../server/src/platform/kernel/position.ts';

/** The approximate width of a hexagon of the population grid. */
const HEXAGON_DEGREES = 0.003;
const DRAWS_MAX = 100;

/** Draws places anywhere within the bounds. */
export function placesWithin({ south, west, north, east }: Bounds, random: () => number): () => Position {
  return () => ({ lat: south + random() * (north - south), lng: west + random() * (east - west) });
}

/**
 * Draws places from a CSV with the columns lon, lat and population: a hexagon in proportion to its population, then a
 * point within it.
 */
export function placesByPopulation(csv: string, random: () => number): () => Position {
  const [head = '', ...lines] = readFileSync(csv, 'utf8').trim().split('\n');
  const columns = head.split(',');
  const column = (name: string) => {
    const index = columns.indexOf(name);
    if (index === -1) throw new Error(`${csv} has no column "${name}"`);
    return index;
  };
  const [lat, lng, population] = [column('lat'), column('lon'), column('population')];
  const hexagons = lines.map((line) => line.split(',').map(Number));
  let total = 0;
  const reaches = hexagons.map((hexagon) => {
    total += hexagon[population]!;
    return total;
  });
  return () => {
    const drawn = random() * total;
    const hexagon = hexagons[reaches.findIndex((reach) => drawn < reach)]!;
    const aside = () => (random() - 0.5) * HEXAGON_DEGREES;
    return { lat: hexagon[lat]! + aside(), lng: hexagon[lng]! + aside() };
  };
}

/** The drawn places that a driver can reach from all others and return from. */
export async function reachablePlaces(
  router: Router,
  draw: () => Position,
  count: number,
): Promise<Position[]> {
  const places: Position[] = [];
  for (let draws = 0; places.length < count; draws++) {
    if (draws > count * DRAWS_MAX) throw new Error('hardly any place in the extract can be reached');
    const place = draw();
    const { metres } = await router.matrix([places[0] ?? place, place], 'motorcycle').catch((error) => {
      if (error instanceof PointOffRoad) return { metres: [[null]] };
      throw error;
    });
    if (metres.every((row) => row.every((cell) => cell !== null))) places.push(place);
  }
  return places;
}
