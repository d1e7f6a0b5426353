import { districts } from './districts.ts';
import { arteries, BROOK_METRES, brook, edge, lake, parks } from './plan.ts';
import { Cells, distance, distanceTo, isInside, type Line, type Point } from './plane.ts';

const SHORE_METRES = 45;
const CELL = 30;

type Ground = 'land' | 'water' | 'park' | 'outside';

const grounds = new Map<number, Ground>();

/** What lies at a point, as precisely as a cell. Looked up for every step of every street. */
export function groundAt([x, y]: Point): Ground {
  const [column, row] = [Math.round(x / CELL), Math.round(y / CELL)];
  const key = (column + 5_000) * 10_000 + row + 5_000;
  let ground = grounds.get(key);
  if (!ground) {
    ground = exactGroundAt([column * CELL, row * CELL]);
    grounds.set(key, ground);
  }
  return ground;
}

const isInBox = ([x, y]: Point, { west, south, east, north }: Box): boolean =>
  x >= west && x <= east && y >= south && y <= north;

interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

const boxOf = (line: Line, margin = 0): Box => ({
  west: Math.min(...line.map(([x]) => x)) - margin,
  south: Math.min(...line.map(([, y]) => y)) - margin,
  east: Math.max(...line.map(([x]) => x)) + margin,
  north: Math.max(...line.map(([, y]) => y)) + margin,
});

const shore = lake.filter(([x, y]) => Math.abs(x) < 4_000 && Math.abs(y) < 5_000);
const waters = [
  { line: shore, metres: SHORE_METRES },
  { line: brook, metres: BROOK_METRES },
].map((water) => ({ ...water, box: boxOf(water.line, water.metres) }));
const greens = parks.map(({ ring }) => ({ ring, box: boxOf(ring) }));

function exactGroundAt(point: Point): Ground {
  if (!isInside(point, edge)) return 'outside';
  if (isInside(point, lake)) return 'water';
  if (waters.some(({ line, metres, box }) => isInBox(point, box) && distanceTo(point, line) < metres))
    return 'water';
  if (greens.some(({ ring, box }) => isInBox(point, box) && isInside(point, ring))) return 'park';
  return 'land';
}

/** Pieces of the arteries: streets nearby run along them or across. */
const guides = new Cells<{ at: Point; heading: number }>(300);
for (const { line } of arteries)
  for (let index = 1; index < line.length; index++) {
    const [a, b] = [line[index - 1]!, line[index]!];
    guides.add(a, { at: a, heading: Math.atan2(b[1] - a[1], b[0] - a[0]) });
  }

const GUIDE_REACH = 260;
const DISTRICT_REACH = 620;
const BEND_METRES = 210;

/**
 * The direction of streets at a point, in radians; a quarter turn more is as good. Directions are averaged as in a
 * cross field: four times the angle, so that streets along and across count as the same.
 */
export function headingAt(point: Point): number {
  let [cos, sin] = [0, 0];
  const add = (heading: number, weight: number) => {
    cos += Math.cos(4 * heading) * weight;
    sin += Math.sin(4 * heading) * weight;
  };
  const bend = wave(point);
  for (const { at, heading, crooked } of districts) {
    const away = distance(at, point) / DISTRICT_REACH;
    if (away > 3) continue;
    add(((heading + crooked * bend) * Math.PI) / 180, Math.exp(-away * away));
  }
  for (const { at, heading } of guides.near(point, GUIDE_REACH)) {
    const away = distance(at, point) / GUIDE_REACH;
    if (away < 1) add(heading, 0.5 * (1 - away) ** 2);
  }
  return Math.atan2(sin, cos) / 4;
}

/** A smooth number between about -1 and 1 for every point. */
const wave = ([x, y]: Point): number =>
  0.6 * Math.sin(x / BEND_METRES + 1.7 * Math.sin(y / (BEND_METRES * 1.3))) +
  0.4 * Math.sin((y - 0.6 * x) / (BEND_METRES * 0.8) + 2.1);
