import type { Matrix } from '../../geo/routing/router.ts';
import type { Position } from '../../platform/kernel/position.ts';
import type { Situation } from './situation.ts';

/** The places of a problem. Equal positions are one place. */
export interface Places {
  positions: Position[];
  placeOf(position: Position): number;
}

/** The places that the matrix must have; it is asked for while nothing is locked. */
export function placesOf({ orders, drivers, runs }: Situation): Places {
  const places = collectPlaces();
  for (const { position } of drivers) places.placeOf(position);
  for (const { pickup, stops } of [...orders, ...runs]) {
    places.placeOf(pickup);
    for (const stop of stops) places.placeOf(stop);
  }
  return places;
}

function collectPlaces(): Places {
  const positions: Position[] = [];
  const known = new Map<string, number>();
  return {
    positions,
    placeOf({ lat, lng }) {
      const key = `${lat.toFixed(5)} ${lng.toFixed(5)}`;
      const place = known.get(key) ?? positions.push({ lat, lng }) - 1;
      known.set(key, place);
      return place;
    },
  };
}

/** A copy of a matrix, to which places can be added. */
export const copyOf = ({ seconds, metres }: Matrix): Matrix => ({
  seconds: seconds.map((row) => [...row]),
  metres: metres.map((row) => [...row]),
});

/** Adds a place that is reached like the first and left like the last of these; returns it. */
export function addJoinedPlace({ seconds, metres }: Matrix, first: number, last: number): number {
  for (const cells of [seconds, metres]) {
    for (const row of cells) row.push(row[first]!);
    const joined = [...cells[last]!];
    joined[cells.length] = 0;
    cells.push(joined);
  }
  return seconds.length - 1;
}
