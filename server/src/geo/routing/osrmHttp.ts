import type { Position } from '../../platform/kernel/position.ts';
import {
  amountIn,
  arrayIn,
  askOverHttp,
  type HttpEngineOptions,
  matrixIn,
  nonsense,
  nullMatrix,
  objectIn,
  textIn,
  withoutTrailingSlash,
} from './engineOverHttp.ts';
import { matrixByBlocks, routeByPieces, wholeRoute } from './osmBlock.ts';
import {
  assertOnEarth,
  NoRoadBetween,
  PointOffRoad,
  type Profile,
  type RoadRoute,
  type Router,
  RoutingUnavailable,
} from './router.ts';

/** osrm-routed ignores this word; a proxy in front of several instances may choose by it. */
const PROFILE_WORD = { motorcycle: 'driving', car: 'driving', bicycle: 'bike' } as const satisfies Record<
  Profile,
  string
>;

/**
 * An OSRM service over HTTP. One osrm-routed has one profile: `{profile}` in the URL becomes motorcycle, car or
 * bicycle, so that each can have its own. A point farther than `snapMetres` from a road is refused.
 */
export function osrmHttp(url: string, options: HttpEngineOptions & { snapMetres: number }): Router {
  const base = withoutTrailingSlash(url);
  const { snapMetres } = options;

  async function ask(
    service: 'table' | 'route' | 'nearest',
    points: readonly Position[],
    profile: Profile,
    query: Record<string, string>,
  ): Promise<Record<string, unknown>> {
    const coordinates = points.map(({ lat, lng }) => `${degrees(lng)},${degrees(lat)}`).join(';');
    // Without a radius a point in the middle of a lake is moved silently to the shore.
    const radiuses = points.map(() => snapMetres).join(';');
    const path = `${service}/v1/${PROFILE_WORD[profile]}/${coordinates}`;
    const search = Object.entries({ radiuses, generate_hints: 'false', ...query })
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
    const { answer } = await askOverHttp(`${base.replace('{profile}', profile)}/${path}?${search}`, options);
    const body = objectIn(answer, 'the answer');
    textIn(body.code, 'the code');
    return body;
  }

  /** Newer versions of OSRM name the point in a sentence; otherwise the nearest road of each point is requested. */
  async function offRoad(
    body: Record<string, unknown>,
    points: readonly Position[],
    profile: Profile,
  ): Promise<number> {
    const named = /coordinate (\d+)/.exec(String(body.message));
    if (named && Number(named[1]) < points.length) return Number(named[1]);
    const codes = await Promise.all(
      points.map(async (point) => (await ask('nearest', [point], profile, { number: '1' })).code),
    );
    const index = codes.findIndex((code) => code !== 'Ok');
    if (index === -1) throw nonsense('it finds no road for a point that has one');
    return index;
  }

  return {
    name: 'osrm over http',

    async matrix(points, profile) {
      assertOnEarth(points);
      return matrixByBlocks(points.length, async (sources, targets) => {
        const indexes = [...new Set([...sources, ...targets])];
        // OSRM refuses a table of one place, which may be left for the last block.
        if (indexes.length === 1) return { metres: [[0]], seconds: [[0]] };
        const asked = indexes.map((index) => points[index]!);
        const placesOf = (side: number[]) => side.map((index) => indexes.indexOf(index)).join(';');
        const size = { rows: sources.length, columns: targets.length };
        const body = await ask('table', asked, profile, {
          annotations: 'duration,distance',
          sources: placesOf(sources),
          destinations: placesOf(targets),
        });
        if (body.code === 'Ok') return matrixIn(body.distances, body.durations, size, 1);
        if (body.code === 'NoTable') return nullMatrix(size);
        if (body.code === 'NoSegment') throw new PointOffRoad(indexes[await offRoad(body, asked, profile)]!);
        throw refused(body);
      });
    },

    async route(points, profile) {
      assertOnEarth(points);
      return routeByPieces(points, async (piece, first) => {
        const body = await ask('route', piece, profile, {
          overview: 'full',
          geometries: 'geojson',
          steps: 'false',
          // A driver may turn around at a stop. The matrix assumes it too, and the two must agree.
          continue_straight: 'false',
        });
        if (body.code === 'Ok') return routeFromOsrm(body, piece.length - 1);
        if (body.code === 'NoRoute') throw new NoRoadBetween('no road joins these points');
        if (body.code === 'NoSegment') throw new PointOffRoad(first + (await offRoad(body, piece, profile)));
        throw refused(body);
      });
    },
  };
}

function routeFromOsrm({ routes }: Record<string, unknown>, legCount: number): RoadRoute {
  const route = objectIn(Array.isArray(routes) ? routes[0] : undefined, 'the route');
  const legs = arrayIn(route.legs, legCount, 'the legs').map((value) => {
    const { distance, duration } = objectIn(value, 'a leg');
    return { metres: amountIn(distance, 'the distance'), seconds: amountIn(duration, 'the duration') };
  });
  const { coordinates } = objectIn(route.geometry, 'the geometry');
  if (!Array.isArray(coordinates) || coordinates.length < 2 || !coordinates.every(isLngLat))
    throw nonsense('the geometry is no line');
  return wholeRoute(legs, [coordinates]);
}

function isLngLat(value: unknown): value is [number, number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [lng, lat] = value as unknown[];
  return typeof lng === 'number' && typeof lat === 'number' && Math.abs(lng) <= 180 && Math.abs(lat) <= 90;
}

const refused = ({ code, message }: Record<string, unknown>): RoutingUnavailable =>
  new RoutingUnavailable(`the routing engine refused: ${String(code)}: ${String(message)}`.slice(0, 300));

const degrees = (value: number): string => value.toFixed(6);
