import Flatbush from 'flatbush';

/** Each ring without its closing point; the first is the outside, the others are holes. */
export type Rings = readonly (readonly GridPoint[])[];

export type PolygonFault =
  | 'self-intersection'
  | 'rings-cross'
  | 'hole-outside'
  | 'holes-overlap'
  | 'too-complex';

/**
 * The remaining budget of a check, in pairs of edges compared. An outline of 20,000 points needs about 60,000;
 * only thousands of long parallel edges, or thousands of holes, come near a million.
 */
export interface CheckBudget {
  left: number;
}

const TOUCH_COST = 4;
/** Testing on which side of an edge a point lies costs a small part of comparing two edges. */
const SIDE_COST = 0.1;

interface Edge {
  ring: number;
  from: GridPoint;
  to: GridPoint;
}

/** A point where an edge meets another ring without crossing it, which is allowed. */
interface Touch {
  edge: Edge;
  other: number;
  at: GridPoint;
}

/** The fault that keeps the rings from being one polygon with holes, or undefined. Yields for platform/kernel/inSlices.ts. */
export function* polygonFault(
  rings: Rings,
  budget: CheckBudget,
): Generator<void, PolygonFault | undefined, void> {
  const isSpent = (cost: number): boolean => {
    budget.left -= cost;
    return budget.left < 0;
  };
  const edges = rings.flatMap((points, ring) =>
    points.map((from, index) => ({ ring, from, to: points[(index + 1) % points.length]! })),
  );
  const touches: Touch[] = [];
  yield;
  const near = indexEdges(edges);
  for (const [index, a] of edges.entries()) {
    yield;
    for (const b of near(index)) {
      if (isSpent(1)) return 'too-complex';
      const how = meeting(a.from, a.to, b.from, b.to);
      if (how === 'apart') continue;
      if (a.ring !== b.ring) {
        if (how === 'cross') return 'rings-cross';
        if (isSpent(TOUCH_COST)) return 'too-complex';
        touches.push(...touchesOf(a, b), ...touchesOf(b, a));
      } else if (how === 'cross' || !areNeighbours(a, b)) return 'self-intersection';
    }
  }

  const fine = rings.map(doubled);
  const touchesOfPair = Map.groupBy(touches, ({ edge, other }) => `${edge.ring} ${other}`);
  const samples = (ring: number, other: number): GridPoint[] => {
    const touching = touchesOfPair.get(`${ring} ${other}`);
    return touching ? middlesOf(touching) : fine[ring]!.slice(0, 1);
  };
  const holes = rings.keys().drop(1).toArray();
  for (const hole of holes)
    for (const sample of samples(hole, 0)) {
      yield;
      if (isSpent(fine[0]!.length * SIDE_COST)) return 'too-complex';
      if (!isInside(sample, fine[0]!)) return 'hole-outside';
    }

  // Their edges do not cross, so two holes overlap only where one holds a part of the other's rim.
  const boxes = rings.map(boxOf);
  for (const a of holes) {
    yield;
    if (isSpent(holes.length * SIDE_COST)) return 'too-complex';
    for (const b of holes) {
      if (a === b || !boxesMeet(boxes[a]!, boxes[b]!)) continue;
      for (const sample of samples(a, b)) {
        if (isSpent(fine[b]!.length * SIDE_COST)) return 'too-complex';
        if (isInside(sample, fine[b]!)) return 'holes-overlap';
      }
    }
  }
  return undefined;
}

/** Finds the later edges whose boxes meet the edge's own box, so each pair is compared once. */
function indexEdges(edges: readonly Edge[]): (index: number) => Edge[] {
  const boxes = new Flatbush(edges.length);
  for (const edge of edges) boxes.add(...boxOf([edge.from, edge.to]));
  boxes.finish();
  return (index) => {
    const { from, to } = edges[index]!;
    return boxes.search(...boxOf([from, to]), (other) => other > index).map((other) => edges[other]!);
  };
}

/** Neighbours along a ring always share a point. */
const areNeighbours = (a: Edge, b: Edge): boolean => a.to === b.from || b.to === a.from;

const touchesOf = (edge: Edge, other: Edge): Touch[] =>
  [edge.from, edge.to, other.from, other.to]
    .filter((at) =>
      [edge, other].every(({ from, to }) => turn(from, to, at) === 0 && isBetween(at, from, to)),
    )
    .map((at) => ({ edge, other: other.ring, at }));

/**
 * Between two touches a ring stays on one side of the other, so the middles of the pieces beside a touch tell
 * for all of it; without any touch, one corner does. Given on a grid twice as fine, where middles are whole.
 */
const middlesOf = (touches: readonly Touch[]): GridPoint[] =>
  [...Map.groupBy(touches, (touch) => touch.edge)].flatMap(([edge, found]) => {
    const along = [edge.from, ...found.map(({ at }) => at), edge.to].sort((a, b) => a.x - b.x || a.y - b.y);
    const pieces = along.slice(1).map((to, index) => ({ from: along[index]!, to }));
    return pieces
      .filter(({ from, to }) => !samePoint(from, to))
      .map(({ from, to }) => ({ x: from.x + to.x, y: from.y + to.y }));
  });

const doubled = (points: readonly GridPoint[]): GridPoint[] =>
  points.map(({ x, y }) => ({ x: 2 * x, y: 2 * y }));

type Box = [minX: number, minY: number, maxX: number, maxY: number];

function boxOf(points: readonly GridPoint[]): Box {
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return box;
}

const boxesMeet = (a: Box, b: Box): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

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
function meeting(a: GridPoint, b: GridPoint, c: GridPoint, d: GridPoint): Meeting {
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
const isBetween = (point: GridPoint, a: GridPoint, b: GridPoint): boolean =>
  Math.min(a.x, b.x) <= point.x &&
  point.x <= Math.max(a.x, b.x) &&
  Math.min(a.y, b.y) <= point.y &&
  point.y <= Math.max(a.y, b.y);

/** Requires a point that does not lie on the ring itself; the ring's last point joins its first. */
function isInside(point: GridPoint, ring: readonly GridPoint[]): boolean {
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
