import { districtAt, districts } from './districts.ts';
import type { Edge, Net } from './joinRoads.ts';
import type { Park } from './plan.ts';
import { areaOf, distance, type Line, middleOf, type Point } from './plane.ts';
import { groundAt } from './terrain.ts';

/** The size of a block that may be a square, in square metres. */
const SQUARE = { min: 4_500, max: 15_000 };
/** Half a street and its pavement. */
const INSET_METRES = 11;

/** One block of each district is a square: the one nearest to its middle. */
export function chooseSquares(net: Net, nameSquare: () => string | undefined): Park[] {
  const blocks = blocksOf(net).filter((ring) => {
    const area = areaOf(ring);
    return area >= SQUARE.min && area <= SQUARE.max && groundAt(middleOf(ring)) === 'land';
  });
  return districts.flatMap((district) => {
    let [nearest, reach]: [Line | undefined, number] = [undefined, 500];
    for (const ring of blocks) {
      const middle = middleOf(ring);
      const away = distance(middle, district.at);
      if (away < reach && districtAt(middle) === district) [nearest, reach] = [ring, away];
    }
    const name = nearest && nameSquare();
    return nearest && name ? [{ name, ring: inset(nearest) }] : [];
  });
}

/** Towards the middle, from each corner. */
function inset(ring: Line): Line {
  const middle = middleOf(ring);
  return ring.map((point): Point => {
    const away = distance(point, middle);
    const share = Math.max(0.3, (away - INSET_METRES * 1.4) / away);
    return [middle[0] + (point[0] - middle[0]) * share, middle[1] + (point[1] - middle[1]) * share];
  });
}

interface Half {
  edge: Edge;
  from: number;
  to: number;
  heading: number;
}

/** The areas between streets: each edge has one on either side, and turning left at every crossing walks around it. */
function blocksOf({ nodes, edges }: Net): Line[] {
  const leaving: Half[][] = nodes.map(() => []);
  for (const edge of edges)
    for (const [from, to, line] of [
      [edge.from, edge.to, edge.line] as const,
      [edge.to, edge.from, edge.line.toReversed()] as const,
    ]) {
      const [a, b] = [line[0]!, line[1]!];
      leaving[from]!.push({ edge, from, to, heading: Math.atan2(b[1] - a[1], b[0] - a[0]) });
    }
  for (const halves of leaving) halves.sort((a, b) => a.heading - b.heading);
  const walked = new Set<Half>();
  const blocks: Line[] = [];
  for (const start of leaving.flat()) {
    if (walked.has(start)) continue;
    const ring: Point[] = [];
    for (let half = start; !walked.has(half); half = turnLeft(half, leaving)) {
      walked.add(half);
      const line = half.from === half.edge.from ? half.edge.line : half.edge.line.toReversed();
      ring.push(...line.slice(0, -1));
    }
    if (areaOf(ring) > 0) blocks.push(ring);
  }
  return blocks;
}

/** The next street to the right of the one just walked, seen from the crossing: the leftmost turn. */
function turnLeft(half: Half, leaving: readonly Half[][]): Half {
  const around = leaving[half.to]!;
  const back = around.findIndex(({ edge, to }) => edge === half.edge && to === half.from);
  return around[(back - 1 + around.length) % around.length]!;
}
