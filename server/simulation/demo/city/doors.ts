import type { Position } from '../../../src/platform/kernel/position.ts';
import { demoDestinations, demoPickups } from '../demoCentrals.ts';
import { demoCity } from './city.ts';
import { districtAt } from './districts.ts';
import { brook, type DrawnRoad, type RoadClass } from './plan.ts';
import {
  distance,
  distanceTo,
  isInside,
  type Line,
  lengthOf,
  type Point,
  toPoint,
  toPosition,
} from './plane.ts';

export interface Door {
  street: string;
  number: number;
  district: string;
  position: Position;
}

/** A street from its first number on, through all pieces that the traffic divides it into. */
interface NumberedStreet {
  name: string;
  class: RoadClass;
  line: Line;
  metres: number;
  /** The number at some metres from the beginning. */
  numberAt(metres: number): number;
}

/** Numbers grow away from here. */
const CENTRE: Point = [-1850, 520];
const DOOR_METRES = 24;
/** From the middle of the street to its doors. */
const ASIDE: Readonly<Record<RoadClass, number>> = { main: 13, avenue: 10, street: 8, lane: 7 };
const CORNER_METRES = 16;

/** Doors with known numbers, through which the numbers of their streets go. */
const KNOWN = [
  ...[...Object.values(demoPickups), ...demoDestinations],
  {
    address: 'Rua dos Andradas, 1001',
    district: 'Centro Histórico',
    position: { lat: -30.0305, lng: -51.2303 },
  },
].map(({ address, district, position }): Door => {
  const [street = '', number] = address.split(', ');
  return { street, number: Number(number), district, position };
});

/** All doors of the city: first those that are known by hand, because the first place of a number is kept. */
export function* cityDoors(): Generator<Door> {
  yield* KNOWN;
  const corners = new Set(demoCity().nodes.map(String));
  for (const street of numberedStreets()) yield* doorsAlong(street, corners);
}

let numbered: readonly NumberedStreet[] | undefined;

/** A door on a street of at least a few doors; `chance` decides which. */
export function someDoor(random: () => number): Door {
  const streets = numberedStreets();
  for (;;) {
    const street = streets[Math.floor(random() * streets.length)]!;
    const metres = CORNER_METRES + Math.floor(random() * (street.metres - 2 * CORNER_METRES));
    const door = doorAt(street, metres, random() < 0.5 ? 1 : -1);
    if (door) return door;
  }
}

/** The door at some metres of a street. */
export function doorOn(street: string, metres: number): Door {
  const named = numberedStreets().find(({ name, metres: length }) => name === street && length > metres);
  const door = named && (doorAt(named, metres, 1) ?? doorAt(named, metres, -1));
  if (!door) throw new Error(`${street} has no door at ${metres} m`);
  return door;
}

function numberedStreets(): readonly NumberedStreet[] {
  numbered ??= numberStreets(demoCity().streets);
  return numbered;
}

function numberStreets(streets: readonly DrawnRoad[]): NumberedStreet[] {
  const whole: { name: string; class: RoadClass; line: Line }[] = [];
  for (const { name, class: kind, line } of streets) {
    const last = whole.at(-1);
    if (last?.name === name && String(last.line.at(-1)) === String(line[0]))
      last.line = [...last.line, ...line.slice(1)];
    else whole.push({ name, class: kind, line });
  }
  const usedUpTo = new Map<string, number>();
  return whole.map((street) => {
    const [begin, end] = [street.line[0]!, street.line.at(-1)!];
    const line = distance(begin, CENTRE) <= distance(end, CENTRE) ? street.line : street.line.toReversed();
    const metres = lengthOf(line);
    // The two banks of the brook share their numbers: one has the odd ones.
    const base = street.name === 'Avenida Ipiranga' ? 0 : (usedUpTo.get(street.name) ?? 0);
    const numberAt = numbersThrough(street.name, line, base);
    usedUpTo.set(street.name, Math.ceil(numberAt(metres) / 100) * 100);
    return { ...street, line, metres, numberAt };
  });
}

/** A number is a metre, except where known doors say otherwise. */
function numbersThrough(name: string, line: Line, base: number): (metres: number) => number {
  const known = KNOWN.filter(({ street }) => street === name)
    .map(({ number, position }) => ({ number, at: metresTo(toPoint(position), line) }))
    .filter(({ at }) => at !== undefined)
    .map(({ number, at = 0 }) => ({ number, at }))
    .sort((a, b) => a.at - b.at);
  const [first, second] = known;
  if (!first) return (metres) => base + metres;
  if (second) {
    const pace = (second.number - first.number) / (second.at - first.at);
    if (pace > 0) return (metres) => Math.max(1, first.number + (metres - first.at) * pace);
  }
  if (first.number >= first.at) return (metres) => first.number - first.at + metres;
  return (metres) => (metres * first.number) / first.at;
}

const KNOWN_DOOR_METRES = 30;

/** How far along a line a door stands; undefined where it stands elsewhere. */
function metresTo(point: Point, line: Line): number | undefined {
  let [at, nearest, found] = [0, KNOWN_DOOR_METRES, -1];
  for (let index = 1; index < line.length; index++) {
    const piece = [line[index - 1]!, line[index]!];
    const away = distanceTo(point, piece);
    if (away < nearest) [nearest, found] = [away, at + Math.min(distance(piece[0]!, point), lengthOf(piece))];
    at += lengthOf(piece);
  }
  return found < 0 ? undefined : found;
}

function* doorsAlong(street: NumberedStreet, corners: ReadonlySet<string>): Generator<Door> {
  const crossings = metresOfPoints(street.line).filter((_at, index) =>
    corners.has(String(street.line[index])),
  );
  for (let metres = CORNER_METRES; metres < street.metres - CORNER_METRES / 2; metres += DOOR_METRES) {
    if (crossings.some((at) => Math.abs(at - metres) < CORNER_METRES)) continue;
    for (const side of [1, -1] as const) {
      const door = doorAt(street, metres, side);
      if (door) yield door;
    }
  }
}

function metresOfPoints(line: Line): number[] {
  let at = 0;
  return line.map((point, index) => {
    at += index === 0 ? 0 : distance(line[index - 1]!, point);
    return at;
  });
}

/** Even numbers are on the right. No door where there is a park or water. */
function doorAt(
  { name, class: kind, line, numberAt }: NumberedStreet,
  metres: number,
  side: 1 | -1,
): Door | undefined {
  const { at, dx, dy } = placeAlong(line, metres);
  const aside = ASIDE[kind] * side;
  const point: Point = [at[0] + dy * aside, at[1] - dx * aside];
  if (isGreen(point) || isOnBank(point)) return undefined;
  const whole = Math.max(1, Math.round(numberAt(metres)));
  const number = (whole % 2 === 0) === (side === 1) ? whole : whole + 1;
  return { street: name, number, district: districtAt(at).name, position: toPosition(point) };
}

const BANK_METRES = 22;
const [BROOK_SOUTH, BROOK_NORTH] = [
  Math.min(...brook.map(([, y]) => y)),
  Math.max(...brook.map(([, y]) => y)),
];

const isOnBank = (point: Point): boolean =>
  point[1] > BROOK_SOUTH - BANK_METRES &&
  point[1] < BROOK_NORTH + BANK_METRES &&
  distanceTo(point, brook) < BANK_METRES;

const isGreen = (point: Point): boolean =>
  demoCity().greens.some(
    ({ ring, box: [west, south, east, north] }) =>
      point[0] > west && point[0] < east && point[1] > south && point[1] < north && isInside(point, ring),
  );

/** The direction of a line at some metres from its beginning, and the point there. */
function placeAlong(line: Line, metres: number): { at: Point; dx: number; dy: number } {
  let left = metres;
  for (let index = 1; index < line.length; index++) {
    const [a, b] = [line[index - 1]!, line[index]!];
    const length = distance(a, b);
    if (left <= length || index === line.length - 1) {
      const [dx, dy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
      return { at: [a[0] + dx * left, a[1] + dy * left], dx, dy };
    }
    left -= length;
  }
  throw new Error('a line has two points');
}
