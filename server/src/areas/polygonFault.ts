import Flatbush from 'flatbush';
import { type GridPoint, isBetween, isInside, meeting, samePoint, turn } from './grid.ts';

/** Each ring without its closing point; the first is the outside, the others are holes. */
export type Rings = readonly (readonly GridPoint[])[];

export type PolygonFault =
  | 'self-intersection'
  | 'rings-cross'
  | 'hole-outside'
  | 'holes-overlap'
  | 'too-complex';

/** An outline of 20,000 points has some 60,000; only thousands of long edges side by side come near this. */
const NEAR_PAIRS_MAX = 2_000_000;

interface Edge {
  ring: number;
  from: GridPoint;
  to: GridPoint;
}

/** A point where an edge meets another ring without crossing it, which a polygon may do. */
interface Touch {
  edge: Edge;
  other: number;
  at: GridPoint;
}

/** What keeps rings from being one polygon with holes, or undefined when nothing does. */
export function polygonFault(rings: Rings): PolygonFault | undefined {
  const edges = rings.flatMap((points, ring) =>
    points.map((from, index) => ({ ring, from, to: points[(index + 1) % points.length]! })),
  );
  const touches: Touch[] = [];
  let pairs = 0;
  for (const [a, b] of nearPairs(edges)) {
    pairs += 1;
    if (pairs > NEAR_PAIRS_MAX) return 'too-complex';
    const how = meeting(a.from, a.to, b.from, b.to);
    if (how === 'apart') continue;
    if (a.ring !== b.ring) {
      if (how === 'cross') return 'rings-cross';
      touches.push(...touchesOf(a, b), ...touchesOf(b, a));
    } else if (how === 'cross' || !areNeighbours(a, b)) return 'self-intersection';
  }

  const fine = rings.map(doubled);
  const touchesOfPair = Map.groupBy(touches, ({ edge, other }) => `${edge.ring} ${other}`);
  const samples = (ring: number, other: number): GridPoint[] => {
    const touching = touchesOfPair.get(`${ring} ${other}`);
    return touching ? middlesOf(touching) : fine[ring]!.slice(0, 1);
  };
  const holes = rings.keys().drop(1).toArray();
  const isOutside = (hole: number) => samples(hole, 0).some((sample) => !isInside(sample, fine[0]!));
  if (holes.some(isOutside)) return 'hole-outside';

  // Their edges do not cross, so two holes overlap only where one holds a part of the other's rim.
  const boxes = rings.map(boxOf);
  const overlap = (a: number, b: number): boolean =>
    a !== b && boxesMeet(boxes[a]!, boxes[b]!) && samples(a, b).some((sample) => isInside(sample, fine[b]!));
  if (holes.some((a) => holes.some((b) => overlap(a, b)))) return 'holes-overlap';
  return undefined;
}

/** Each pair of edges whose boxes meet, once. */
function* nearPairs(edges: readonly Edge[]): Iterable<[Edge, Edge]> {
  const index = new Flatbush(edges.length);
  for (const edge of edges) index.add(...boxOf([edge.from, edge.to]));
  index.finish();
  for (const [first, edge] of edges.entries())
    for (const second of index.search(...boxOf([edge.from, edge.to])))
      if (second > first) yield [edge, edges[second]!];
}

/** One after the other along a ring: they share a point by nature. */
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
