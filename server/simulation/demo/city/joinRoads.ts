import { between, Cells, distance, type Line, lengthOf, type Point } from './plane.ts';

/** A line with its properties. */
export interface Road {
  line: Line;
  /** Drawn by hand: it may end outside a crossing. */
  isDrawn: boolean;
}

export interface Edge {
  from: number;
  to: number;
  /** The index of its road. */
  road: number;
  /** From the first crossing to the second, both included. */
  line: Line;
  metres: number;
}

export interface Net {
  nodes: Point[];
  edges: Edge[];
}

/** Crossings nearer than this are one. */
const SAME_NODE_METRES = 16;
/** A loose end shorter than this is cut off. */
const STUB_METRES = 110;
/** Smaller than the metres between any two crossings. */
const CELL = 60;

interface Segment {
  road: number;
  index: number;
  a: Point;
  b: Point;
  /** Metres from the beginning of its road. */
  at: number;
}

/** Cuts all roads where they meet, and cuts off loose ends. What cannot be reached from the largest part is left out. */
export function joinRoads(roads: readonly Road[]): Net {
  const nodes = new NodeSet();
  const cuts = cutsOf(roads, nodes);
  let edges = roads.flatMap(({ line, isDrawn }, road) => edgesOf(line, road, isDrawn, cuts[road]!, nodes));
  edges = withoutTwins(edges, nodes);
  for (;;) {
    const degrees = degreesOf(edges);
    const kept = edges.filter(
      ({ from, to, metres }) => (degrees.get(from)! > 1 && degrees.get(to)! > 1) || metres >= STUB_METRES,
    );
    if (kept.length === edges.length) break;
    edges = kept;
  }
  return numbered(largestPart(edges), nodes.places);
}

/** Points that lie near each other are one node. */
class NodeSet {
  readonly places: Point[] = [];
  readonly #cells = new Cells<number>(SAME_NODE_METRES * 2);

  at(point: Point): number {
    let [nearest, reach] = [-1, SAME_NODE_METRES];
    for (const node of this.#cells.near(point, SAME_NODE_METRES)) {
      const away = distance(this.places[node]!, point);
      if (away < reach) [nearest, reach] = [node, away];
    }
    if (nearest >= 0) return nearest;
    this.places.push(point);
    this.#cells.add(point, this.places.length - 1);
    return this.places.length - 1;
  }
}

interface Cut {
  at: number;
  node: number;
}

/** Where each road meets others. Drawn roads are looked at first, so that crossings lie on them. */
function cutsOf(roads: readonly Road[], nodes: NodeSet): Cut[][] {
  const cells = new Cells<Segment>(CELL);
  const cuts: Cut[][] = roads.map(() => []);
  for (const [road, { line, isDrawn }] of roads.entries()) {
    let at = 0;
    const own: Segment[] = [];
    for (let index = 1; index < line.length; index++) {
      const segment: Segment = { road, index, a: line[index - 1]!, b: line[index]!, at };
      const length = distance(segment.a, segment.b);
      const middle = between(segment.a, segment.b, 0.5);
      for (const other of cells.near(middle, length / 2 + CELL / 2)) {
        const meeting = meetingOf(segment, other);
        if (!meeting) continue;
        const node = nodes.at(meeting.point);
        cuts[road]!.push({ at: at + length * meeting.share, node });
        cuts[other.road]!.push({ at: other.at + distance(other.a, meeting.point), node });
      }
      own.push(segment);
      at += length;
    }
    if (isDrawn)
      for (const [end, place] of [[0, line[0]!] as const, [at, line.at(-1)!] as const])
        cuts[road]!.push({ at: end, node: nodes.at(place) });
    for (const segment of own) cells.add(between(segment.a, segment.b, 0.5), segment);
  }
  return cuts;
}

/** Slightly longer than the segments, because drawn roads end on each other. */
const BEYOND = 0.02;

function meetingOf({ a, b }: Segment, { a: c, b: d }: Segment): { point: Point; share: number } | undefined {
  const [rx, ry, sx, sy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]];
  const cross = rx * sy - ry * sx;
  if (Math.abs(cross) < 1e-9) return undefined;
  const [dx, dy] = [c[0] - a[0], c[1] - a[1]];
  const [share, other] = [(dx * sy - dy * sx) / cross, (dx * ry - dy * rx) / cross];
  if (share < -BEYOND || share > 1 + BEYOND || other < -BEYOND || other > 1 + BEYOND) return undefined;
  return { point: [a[0] + rx * share, a[1] + ry * share], share };
}

/** The pieces of a road between its crossings; a traced street's ends beyond them are cut off if they are short. */
function edgesOf(line: Line, road: number, isDrawn: boolean, cuts: Cut[], nodes: NodeSet): Edge[] {
  const sorted = cuts.toSorted((a, b) => a.at - b.at);
  if (!isDrawn && sorted.length > 0) {
    const length = lengthOf(line);
    if (sorted[0]!.at > STUB_METRES) sorted.unshift({ at: 0, node: nodes.at(line[0]!) });
    if (length - sorted.at(-1)!.at > STUB_METRES) sorted.push({ at: length, node: nodes.at(line.at(-1)!) });
  }
  const edges: Edge[] = [];
  for (let index = 1; index < sorted.length; index++) {
    const [before, after] = [sorted[index - 1]!, sorted[index]!];
    if (before.node === after.node) continue;
    const piece: Point[] = [nodes.places[before.node]!];
    let at = 0;
    for (const [place, point] of line.entries()) {
      if (place > 0) at += distance(line[place - 1]!, point);
      // Points near a crossing would make a kink where the crossing was moved a little.
      if (at > before.at + SAME_NODE_METRES && at < after.at - SAME_NODE_METRES) piece.push(point);
    }
    piece.push(nodes.places[after.node]!);
    edges.push({ from: before.node, to: after.node, road, line: piece, metres: lengthOf(piece) });
  }
  return edges;
}

/** Of two roads that lie on each other the first is kept: drawn roads come first. */
function withoutTwins(edges: readonly Edge[], nodes: NodeSet): Edge[] {
  const known = new Set<string>();
  return edges.filter(({ from, to, metres }) => {
    const straight = distance(nodes.places[from]!, nodes.places[to]!);
    // A way around is another road between the same crossings.
    if (metres > straight * 1.3 + 30) return true;
    const key = from < to ? `${from} ${to}` : `${to} ${from}`;
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

function degreesOf(edges: readonly Edge[]): Map<number, number> {
  const degrees = new Map<number, number>();
  for (const { from, to } of edges)
    for (const node of [from, to]) degrees.set(node, (degrees.get(node) ?? 0) + 1);
  return degrees;
}

function largestPart(edges: readonly Edge[]): Edge[] {
  const parts = new Map<number, number>();
  const partOf = (node: number): number => {
    let part = node;
    for (let up = parts.get(part); up !== undefined && up !== part; up = parts.get(part)) part = up;
    parts.set(node, part);
    return part;
  };
  for (const { from, to } of edges) parts.set(partOf(from), partOf(to));
  const counts = new Map<number, number>();
  for (const { from } of edges) counts.set(partOf(from), (counts.get(partOf(from)) ?? 0) + 1);
  const [largest] = [...counts].sort((a, b) => b[1] - a[1])[0]!;
  return edges.filter(({ from }) => partOf(from) === largest);
}

/** Only the nodes that are in use. */
function numbered(edges: readonly Edge[], places: readonly Point[]): Net {
  const numbers = new Map<number, number>();
  const nodes: Point[] = [];
  const numberOf = (node: number): number => {
    let number = numbers.get(node);
    if (number === undefined) {
      number = nodes.push(places[node]!) - 1;
      numbers.set(node, number);
    }
    return number;
  };
  return {
    nodes,
    edges: edges.map((edge) => ({ ...edge, from: numberOf(edge.from), to: numberOf(edge.to) })),
  };
}
