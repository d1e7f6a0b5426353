import { randomFrom } from '../../../src/platform/kernel/random.ts';
import { districtAt } from './districts.ts';
import type { DrawnRoad } from './plan.ts';
import { Cells, distance, type Line, lengthOf, type Point } from './plane.ts';
import { groundAt, headingAt } from './terrain.ts';

const STEP = 14;
/** Parallel streets keep at least this share of a block's width between them. */
const NEAREST_SHARE = 0.62;
const SHORTEST_METRES = 90;
/** A street may end at a crossing after some of these. */
const LONGEST_METRES = [350, 1_900] as const;
/** Beyond its last step, so that it meets the street ahead. */
const REACH_AHEAD = 42;
/** Samples within this angle belong to streets of one direction. */
const SAME_DIRECTION = Math.cos((40 * Math.PI) / 180);

interface Sample {
  at: Point;
  dx: number;
  dy: number;
}

/**
 * Fills the land between the drawn roads with streets: lines that follow the field of directions at a block's distance
 * from each other (Jobard and Lefer's evenly spaced streamlines). The same seed gives the same streets.
 */
export function traceStreets(drawn: readonly DrawnRoad[], seed: number): Line[] {
  const random = randomFrom(seed);
  const samples = new Cells<Sample>(60);
  const queue: { at: Point; heading: number }[] = [];
  const streets: Line[] = [];

  const take = (line: Line): void => {
    for (let index = 1; index < line.length; index++) {
      const [a, b] = [line[index - 1]!, line[index]!];
      const length = distance(a, b) || 1;
      const [dx, dy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
      for (let metre = 0; metre < length; metre += STEP)
        samples.add([a[0] + dx * metre, a[1] + dy * metre], {
          at: [a[0] + dx * metre, a[1] + dy * metre],
          dx,
          dy,
        });
    }
    seedBeside(line);
  };

  /** Streets across it, and the next ones along it. */
  const seedBeside = (line: Line): void => {
    let since = random() * 60;
    for (let index = 1; index < line.length; index++) {
      const [a, b] = [line[index - 1]!, line[index]!];
      const length = distance(a, b);
      since += length;
      const block = districtAt(b).blockMetres;
      if (since < block * 0.7) continue;
      since = 0;
      const heading = Math.atan2(b[1] - a[1], b[0] - a[0]);
      const [dx, dy] = [Math.cos(heading), Math.sin(heading)];
      for (const side of [1, -1]) {
        queue.push({ at: [b[0] - dy * side * block, b[1] + dx * side * block], heading });
        queue.push({
          at: [b[0] - dy * side * block * 0.4, b[1] + dx * side * block * 0.4],
          heading: heading + Math.PI / 2,
        });
      }
    }
  };

  const isFree = (at: Point, dx: number, dy: number, room: number): boolean => {
    for (const other of samples.near(at, room))
      if (Math.abs(other.dx * dx + other.dy * dy) > SAME_DIRECTION && distance(other.at, at) < room)
        return false;
    return true;
  };

  /** From the seed in one direction, to where the street ends. */
  const follow = (from: Point, heading: number, lengthMax: number): Point[] => {
    const line: Point[] = [];
    let at = from;
    let direction = heading;
    for (let length = 0; length < lengthMax; length += STEP) {
      direction = nearestQuarter(headingAt(at), direction);
      const [dx, dy] = [Math.cos(direction), Math.sin(direction)];
      const next: Point = [at[0] + dx * STEP, at[1] + dy * STEP];
      const room = districtAt(next).blockMetres * NEAREST_SHARE;
      if (groundAt(next) !== 'land' || !isFree(next, dx, dy, room)) break;
      line.push(next);
      at = next;
    }
    const ahead: Point = [
      at[0] + Math.cos(direction) * REACH_AHEAD,
      at[1] + Math.sin(direction) * REACH_AHEAD,
    ];
    if (line.length > 0 && groundAt(ahead) === 'land') line.push(ahead);
    return line;
  };

  for (const { line } of drawn) take(line);
  for (let next = 0; next < queue.length; next++) {
    const { at, heading: wanted } = queue[next]!;
    if (groundAt(at) !== 'land') continue;
    const heading = nearestQuarter(headingAt(at), wanted);
    const [dx, dy] = [Math.cos(heading), Math.sin(heading)];
    if (!isFree(at, dx, dy, districtAt(at).blockMetres * 0.85)) continue;
    const [shortest, longest] = LONGEST_METRES;
    const reach = () => shortest + (longest - shortest) * random() ** 1.5;
    const back = follow(at, heading + Math.PI, reach()).reverse();
    const line = [...back, at, ...follow(at, heading, reach())];
    if (lengthOf(line) < SHORTEST_METRES + 2 * REACH_AHEAD) continue;
    streets.push(line);
    take(line);
  }
  return streets;
}

/** The field's direction that is nearest to the wanted one: it has four, a quarter turn apart. */
function nearestQuarter(field: number, wanted: number): number {
  const quarter = Math.PI / 2;
  return field + Math.round((wanted - field) / quarter) * quarter;
}
