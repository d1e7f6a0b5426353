import { simplify } from '../../../src/geo/routing/streets/vectorTile.ts';
import { randomFrom } from '../../../src/platform/kernel/random.ts';
import type { DrawnCity } from './cityFile.ts';
import { districtAt } from './districts.ts';
import { type Edge, joinRoads } from './joinRoads.ts';
import { namesFrom } from './names.ts';
import { keepReachable } from './oneWay.ts';
import { arteries, type DrawnRoad, type RoadClass, ringRoads } from './plan.ts';
import type { Line, Point } from './plane.ts';
import { chooseSquares } from './squares.ts';
import { traceStreets } from './traceStreets.ts';

const SEED = 7;
/** A street shorter than this is a lane, in the older districts. */
const LANE_METRES = 230;
const CROOKED = 20;

/** Takes some seconds, so its result is a file in the repository. The same seed gives the same city. */
export function makeCity(): DrawnCity {
  const random = randomFrom(SEED);
  const drawn: DrawnRoad[] = [...arteries, ...ringRoads];
  const traced = traceStreets(drawn, SEED);
  const net = joinRoads([
    ...drawn.map(({ line }) => ({ line, isDrawn: true })),
    ...traced.map((line) => ({ line, isDrawn: false })),
  ]);
  const names = namesFrom(
    random,
    drawn.map(({ name }) => name),
  );
  const chains = chainsOf(net.edges);
  const oneWayEdges = new Set(chains.filter((chain) => isOneWay(chain, drawn, random)).flat());
  const oneWay = keepReachable(
    net,
    net.edges.map((edge) => oneWayEdges.has(edge)),
  );
  const isKeptOneWay = new Set(net.edges.filter((_edge, index) => oneWay[index]));
  const streets = chains.flatMap((chain) => {
    const road = drawn[chain[0]!.road];
    const kind = road?.class ?? classOf(chain);
    const name = road?.name ?? names.street(kind);
    return sameDirection(chain, isKeptOneWay).map((part) => ({
      name,
      class: kind,
      oneWay: isKeptOneWay.has(part[0]!),
      line: part.flatMap(({ line }, index) => simplified(line).slice(index === 0 ? 0 : 1)),
    }));
  });
  return { streets, squares: chooseSquares(net, names.square) };
}

/** The pieces of each road that lie one after the other. */
function chainsOf(edges: readonly Edge[]): Edge[][] {
  const chains: Edge[][] = [];
  for (const edge of edges) {
    const last = chains.at(-1);
    if (last && last[0]!.road === edge.road && last.at(-1)!.to === edge.from) last.push(edge);
    else chains.push([edge]);
  }
  return chains;
}

const metresOf = (chain: readonly Edge[]): number => chain.reduce((sum, { metres }) => sum + metres, 0);

const middleEdge = (chain: readonly Edge[]): Edge => chain[chain.length >> 1]!;

function classOf(chain: readonly Edge[]): RoadClass {
  const { crooked } = districtAt(middleEdge(chain).line[0]!);
  return metresOf(chain) < LANE_METRES && crooked >= CROOKED ? 'lane' : 'street';
}

const ONE_WAY_METRES_MIN = 200;

/** Neighbouring streets alternate: the chain is turned around if its direction is the other one. */
function isOneWay(chain: Edge[], drawn: readonly DrawnRoad[], random: () => number): boolean {
  const road = drawn[chain[0]!.road];
  if (road) return road.oneWay ?? false;
  const [a, b] = [chain[0]!.line[0]!, chain.at(-1)!.line.at(-1)!];
  const district = districtAt(middleEdge(chain).line[0]!);
  if (random() >= district.oneWay || metresOf(chain) < ONE_WAY_METRES_MIN) return false;
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const beside = Math.abs((a[0] * (b[1] - a[1]) - a[1] * (b[0] - a[0])) / length);
  if (Math.round(beside / district.blockMetres) % 2 === 1) turnAround(chain);
  return true;
}

function turnAround(chain: Edge[]): void {
  chain.reverse();
  for (const edge of chain) {
    [edge.from, edge.to] = [edge.to, edge.from];
    edge.line = edge.line.toReversed();
  }
}

/** A street is split where its traffic changes from one direction to both. */
function sameDirection(chain: readonly Edge[], isOneWay: ReadonlySet<Edge>): Edge[][] {
  const parts: Edge[][] = [];
  for (const edge of chain) {
    const last = parts.at(-1);
    if (last && isOneWay.has(last[0]!) === isOneWay.has(edge)) last.push(edge);
    else parts.push([edge]);
  }
  return parts;
}

const BEND_METRES = 1;

/** Without the bends that nobody sees. */
function simplified(line: Line): Line {
  const kept = simplify(line.flat(), BEND_METRES);
  return kept.flatMap((x, index): Point[] => (index % 2 === 0 ? [[x, kept[index + 1]!]] : []));
}
