import type { Position } from '../../platform/kernel/position.ts';
import {
  askOverHttp,
  type HttpEngineOptions,
  nonsense,
  nullMatrix,
  objectIn,
  withoutTrailingSlash,
} from './engineOverHttp.ts';
import { matrixByBlocks, routeByPieces } from './osmBlock.ts';
import {
  assertOnEarth,
  type Matrix,
  NoRoadBetween,
  PointOffRoad,
  type Profile,
  type Router,
  RoutingUnavailable,
} from './router.ts';
import { matrixFromValhalla, offRoadFromValhalla, routeFromValhalla } from './valhallaAnswers.ts';

export type ValhallaAction = 'sources_to_targets' | 'route' | 'locate';

/** Rejects with ValhallaRefused when the engine refuses, with RoutingUnavailable when its answer is unusable. */
export type AskValhalla = (action: ValhallaAction, query: Record<string, unknown>) => Promise<unknown>;

/** Valhalla's error codes that concern the request itself. */
export const VALHALLA_CODES = {
  tooFarApart: 154,
  unconnectedRegions: 170,
  noEdgeNear: 171,
  noPath: 442,
} as const;

export class ValhallaRefused extends Error {
  override name = 'ValhallaRefused';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const COSTING = { motorcycle: 'motorcycle', car: 'auto', bicycle: 'bicycle' } as const satisfies Record<
  Profile,
  string
>;

/** A router over any Valhalla, embedded or remote. A point farther than `snapMetres` from a road is refused. */
export function valhallaRouter(
  name: string,
  ask: AskValhalla,
  { snapMetres }: { snapMetres: number },
): Router {
  // Without the cutoff a point in the middle of a lake is moved silently to a shore 30 km away.
  const location = ({ lat, lng }: Position) => ({ lat, lon: lng, search_cutoff: snapMetres });

  async function block(
    points: readonly Position[],
    profile: Profile,
    sources: number[],
    targets: number[],
  ): Promise<Matrix> {
    const at = (index: number) => location(points[index]!);
    const size = { rows: sources.length, columns: targets.length };
    try {
      const answer = await ask('sources_to_targets', {
        sources: sources.map(at),
        targets: targets.map(at),
        costing: COSTING[profile],
        units: 'kilometers',
        verbose: false,
      });
      return matrixFromValhalla(answer, size);
    } catch (error) {
      if (!(error instanceof ValhallaRefused)) throw error;
      if (error.code === VALHALLA_CODES.noPath) return nullMatrix(size);
      if (error.code === VALHALLA_CODES.unconnectedRegions) return divided(points, profile, sources, targets);
      throw await explain(error, points, profile, unique(sources, targets));
    }
  }

  /** One point in another region fails a whole block, so the block is halved until only its own cells are null. */
  async function divided(
    points: readonly Position[],
    profile: Profile,
    sources: number[],
    targets: number[],
  ): Promise<Matrix> {
    if (sources.length === 1 && targets.length === 1) return nullMatrix({ rows: 1, columns: 1 });
    if (sources.length >= targets.length) {
      const middle = sources.length >> 1;
      const upper = await block(points, profile, sources.slice(0, middle), targets);
      const lower = await block(points, profile, sources.slice(middle), targets);
      return {
        metres: [...upper.metres, ...lower.metres],
        seconds: [...upper.seconds, ...lower.seconds],
      };
    }
    const middle = targets.length >> 1;
    const left = await block(points, profile, sources, targets.slice(0, middle));
    const right = await block(points, profile, sources, targets.slice(middle));
    return {
      metres: left.metres.map((row, index) => [...row, ...right.metres[index]!]),
      seconds: left.seconds.map((row, index) => [...row, ...right.seconds[index]!]),
    };
  }

  /** One point off the roads fails the whole request without being named: locating all of them finds it. */
  async function explain(
    refused: ValhallaRefused,
    points: readonly Position[],
    profile: Profile,
    indexes: number[],
  ): Promise<Error> {
    const mayBeOffRoad =
      refused.code === VALHALLA_CODES.noEdgeNear || refused.code === VALHALLA_CODES.tooFarApart;
    if (mayBeOffRoad) {
      const locations = indexes.map((index) => location(points[index]!));
      const answer = await ask('locate', { locations, costing: COSTING[profile], verbose: false }).catch(
        (error: unknown) => {
          throw error instanceof ValhallaRefused ? new RoutingUnavailable(error.message) : error;
        },
      );
      const offRoad = offRoadFromValhalla(answer, indexes.length);
      if (offRoad !== null) return new PointOffRoad(indexes[offRoad]!);
    }
    const isFinal = Object.values<number>(VALHALLA_CODES).includes(refused.code);
    return isFinal ? new NoRoadBetween(refused.message) : new RoutingUnavailable(refused.message);
  }

  return {
    name,

    async matrix(points, profile) {
      assertOnEarth(points);
      return matrixByBlocks(points.length, (sources, targets) => block(points, profile, sources, targets));
    },

    async route(points, profile) {
      assertOnEarth(points);
      return routeByPieces(points, async (piece, first) => {
        try {
          const answer = await ask('route', {
            locations: piece.map(location),
            costing: COSTING[profile],
            units: 'kilometers',
            directions_type: 'none',
          });
          return routeFromValhalla(answer, piece.length - 1);
        } catch (error) {
          if (!(error instanceof ValhallaRefused)) throw error;
          throw await explain(
            error,
            points,
            profile,
            piece.map((_, index) => first + index),
          );
        }
      });
    },
  };
}

const unique = (sources: number[], targets: number[]): number[] =>
  [...new Set([...sources, ...targets])].sort((a, b) => a - b);

/** A Valhalla service over HTTP. */
export function valhallaHttp(url: string, options: HttpEngineOptions & { snapMetres: number }): Router {
  const base = withoutTrailingSlash(url);
  return valhallaRouter(
    'valhalla over http',
    async (action, query) => {
      const { status, answer } = await askOverHttp(`${base}/${action}`, { ...options, post: query });
      if (status === 200) return answer;
      // A refusal of this request carries Valhalla's own code; without it, the service or a proxy has failed.
      const { error_code: code, error } = objectIn(answer, 'the refusal');
      if (status !== 400) throw new RoutingUnavailable(`the routing engine answered ${status}`);
      if (typeof code !== 'number') throw nonsense('a refusal without a code');
      throw new ValhallaRefused(code, `the routing engine refused: ${String(error)} (${code})`.slice(0, 300));
    },
    options,
  );
}
