/**
 * Degrees as integers of ten-millionths, about a centimetre. Integer arithmetic makes the tests below exact: no
 * polygon is refused or accepted because of a rounding error.
 */
export interface GridPoint {
  x: number;
  y: number;
}

const STEPS_PER_DEGREE = 1e7;

export const toGrid = (lng: number, lat: number): GridPoint => ({
  x: Math.round(lng * STEPS_PER_DEGREE),
  y: Math.round(lat * STEPS_PER_DEGREE),
});

export const toDegrees = ({ x, y }: GridPoint): [lng: number, lat: number] => [
  x / STEPS_PER_DEGREE,
  y / STEPS_PER_DEGREE,
];

export const samePoint = (a: GridPoint, b: GridPoint): boolean => a.x === b.x && a.y === b.y;

/** Products of two differences stay below 2^66, so their doubles are off by less than this. */
const TURN_ERROR_MAX = 2 ** 15;

/** Which way the path a, b, c turns: 1 left, -1 right, 0 straight on or back. */
export function turn(a: GridPoint, b: GridPoint, c: GridPoint): -1 | 0 | 1 {
  const abx = b.x - a.x;
  const aby = b.y - a.y;
  const acx = c.x - a.x;
  const acy = c.y - a.y;
  const size = abx * acy - aby * acx;
  if (Math.abs(size) > TURN_ERROR_MAX) return size > 0 ? 1 : -1;
  const exact = BigInt(abx) * BigInt(acy) - BigInt(aby) * BigInt(acx);
  if (exact === 0n) return 0;
  return exact > 0n ? 1 : -1;
}

export type Meeting = 'apart' | 'touch' | 'cross';

/** How two segments meet: at an end of one of them (touch), or by crossing or running along each other. */
export function meeting(a: GridPoint, b: GridPoint, c: GridPoint, d: GridPoint): Meeting {
  const abc = turn(a, b, c);
  const abd = turn(a, b, d);
  if (abc === 0 && abd === 0) return meetingOnOneLine(a, b, c, d);
  if (abc * abd > 0) return 'apart';
  const cda = turn(c, d, a);
  const cdb = turn(c, d, b);
  if (cda * cdb > 0) return 'apart';
  return abc * abd < 0 && cda * cdb < 0 ? 'cross' : 'touch';
}

function meetingOnOneLine(a: GridPoint, b: GridPoint, c: GridPoint, d: GridPoint): Meeting {
  const axis = a.x === b.x ? 'y' : 'x';
  const begin = Math.max(Math.min(a[axis], b[axis]), Math.min(c[axis], d[axis]));
  const end = Math.min(Math.max(a[axis], b[axis]), Math.max(c[axis], d[axis]));
  if (begin > end) return 'apart';
  return begin === end ? 'touch' : 'cross';
}

/** Requires a point on the line through both ends. */
export const isBetween = (point: GridPoint, a: GridPoint, b: GridPoint): boolean =>
  Math.min(a.x, b.x) <= point.x &&
  point.x <= Math.max(a.x, b.x) &&
  Math.min(a.y, b.y) <= point.y &&
  point.y <= Math.max(a.y, b.y);

/** Requires a point that does not lie on the ring itself; the ring's last point joins its first. */
export function isInside(point: GridPoint, ring: readonly GridPoint[]): boolean {
  let inside = false;
  for (const [index, to] of ring.entries()) {
    const from = ring.at(index - 1)!;
    if (from.y > point.y === to.y > point.y) continue;
    const [low, high] = from.y < to.y ? [from, to] : [to, from];
    if (turn(low, high, point) > 0) inside = !inside;
  }
  return inside;
}

/** 1 when the ring runs counter-clockwise, -1 when clockwise; it crosses itself or is a mere line when 0. */
export function signedArea(ring: readonly GridPoint[]): -1 | 0 | 1 {
  let twice = 0n;
  for (const [index, to] of ring.entries()) {
    const from = ring.at(index - 1)!;
    twice += BigInt(from.x) * BigInt(to.y) - BigInt(to.x) * BigInt(from.y);
  }
  if (twice === 0n) return 0;
  return twice > 0n ? 1 : -1;
}
