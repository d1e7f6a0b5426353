import Flatbush from 'flatbush';
import type { Settings } from '../../../src/centrals/central.ts';
import type { Matrix, Profile, RoadRoute, Router } from '../../../src/geo/routing/router.ts';
import type { Position } from '../../../src/platform/kernel/position.ts';
import { type City, demoCity, type Way } from './city.ts';
import type { RoadClass } from './plan.ts';
import {
  between,
  distance,
  type Line,
  lengthOf,
  type Point,
  shareOnSegment,
  toPoint,
  toPosition,
} from './plane.ts';
import { type Leaving, searchFrom } from './searchFrom.ts';

/** A point farther than this from every street is outside the city. */
const REACH_METRES = 300;

const kmPerHour = (speed: number): number => speed / 3.6;
const METRES_PER_SECOND: Readonly<Record<Profile, Readonly<Record<RoadClass, number>>>> = {
  motorcycle: { main: kmPerHour(42), avenue: kmPerHour(36), street: kmPerHour(27), lane: kmPerHour(18) },
  car: { main: kmPerHour(38), avenue: kmPerHour(32), street: kmPerHour(24), lane: kmPerHour(15) },
  bicycle: { main: kmPerHour(17), avenue: kmPerHour(16), street: kmPerHour(15), lane: kmPerHour(13) },
};
/** Lights and corners. */
const CROSSING_SECONDS = 3;

/**
 * Routes along the streets of the demonstration's city, for centrals that simulate their couriers and have no imported
 * roads. Where a point lies outside the city, the estimator answers.
 */
export function cityRouter(settings: Settings, estimator: Router): Router {
  if (!settings.simulatedCouriers) return estimator;
  const within = <Answer>(
    points: readonly Position[],
    inside: (places: Place[]) => Answer,
    outside: () => Promise<Answer>,
  ): Promise<Answer> => {
    const places = points.map((point) => streets().placeOf(toPoint(point)));
    const known = places.filter((place) => place !== undefined);
    return known.length === places.length ? Promise.resolve(inside(known)) : outside();
  };
  return {
    name: 'drawn city',
    matrix: (points, profile) =>
      within(
        points,
        (places) => matrixOf(places, profile),
        () => estimator.matrix(points, profile),
      ),
    route: (points, profile) =>
      within(
        points,
        (places) => routeThrough(places, profile),
        () => estimator.route(points, profile),
      ),
  };
}

/** The point of a street that is nearest to a place. */
export interface Place {
  way: number;
  /** Metres from the beginning of the way. */
  at: number;
  point: Point;
  /** Metres from the place itself. */
  away: number;
}

interface Streets {
  city: City;
  leaving: readonly (readonly Leaving[])[];
  placeOf(point: Point): Place | undefined;
}

let known: Streets | undefined;

export function streets(): Streets {
  known ??= openStreets(demoCity());
  return known;
}

/** Boxes around long streets overlap, so the nearest box need not have the nearest street. */
const CANDIDATES = 12;

function openStreets(city: City): Streets {
  const segments = city.ways.flatMap(({ line }, way) => {
    let at = 0;
    return line.slice(1).map((b, index) => {
      const a = line[index]!;
      const segment = { way, a, b, at };
      at += distance(a, b);
      return segment;
    });
  });
  const index = new Flatbush(segments.length);
  for (const { a, b } of segments)
    index.add(Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[0], b[0]), Math.max(a[1], b[1]));
  index.finish();
  const leaving: Leaving[][] = city.nodes.map(() => []);
  for (const [way, { from, to, street }] of city.ways.entries()) {
    leaving[from]!.push({ way, to });
    if (!street.oneWay) leaving[to]!.push({ way, to: from });
  }
  return {
    city,
    leaving,
    placeOf(point) {
      let nearest: Place | undefined;
      for (const found of index.neighbors(point[0], point[1], CANDIDATES, REACH_METRES)) {
        const { way, a, b, at } = segments[found]!;
        const share = shareOnSegment(point, a, b);
        const foot = between(a, b, share);
        const away = distance(point, foot);
        if (away <= REACH_METRES && (!nearest || away < nearest.away))
          nearest = { way, at: at + distance(a, b) * share, point: foot, away };
      }
      return nearest;
    },
  };
}

const secondsOn = ({ street, metres }: Way, profile: Profile): number =>
  metres / METRES_PER_SECOND[profile][street.class] + CROSSING_SECONDS;

/** From a place along its way to either end, if traffic allows. */
function exits(place: Place, profile: Profile): { node: number; seconds: number }[] {
  const way = streets().city.ways[place.way]!;
  const pace = METRES_PER_SECOND[profile][way.street.class];
  const ahead = { node: way.to, seconds: (way.metres - place.at) / pace };
  return way.street.oneWay ? [ahead] : [ahead, { node: way.from, seconds: place.at / pace }];
}

interface Found {
  metres: number;
  seconds: number;
  line: Line;
}

/** The fastest way between two places, if `tree` is the search from the first of them. */
function pathTo(from: Place, to: Place, profile: Profile, tree: ReturnType<typeof searchFrom>): Found {
  const { city } = streets();
  const way = city.ways[to.way]!;
  const pace = METRES_PER_SECOND[profile][way.street.class];
  if (from.way === to.way && (!way.street.oneWay || to.at >= from.at)) {
    const part = partOf(way, from.at, to.at);
    return { metres: Math.abs(to.at - from.at), seconds: Math.abs(to.at - from.at) / pace, line: part };
  }
  const entries = [{ node: way.from, rest: to.at, seconds: tree.seconds[way.from]! + to.at / pace }];
  if (!way.street.oneWay) {
    const rest = way.metres - to.at;
    entries.push({ node: way.to, rest, seconds: tree.seconds[way.to]! + rest / pace });
  }
  const best = entries.reduce((a, b) => (b.seconds < a.seconds ? b : a));
  const steps = tree.stepsTo(best.node);
  const start = city.ways[from.way]!;
  const first = steps[0]?.from ?? best.node;
  const pieces: Line[] = [
    partOf(start, from.at, first === start.to ? start.metres : 0),
    ...steps.map(({ way: number, from: node }) => {
      const { line, from: begin } = city.ways[number]!;
      return node === begin ? line : line.toReversed();
    }),
    partOf(way, best.node === way.from ? 0 : way.metres, to.at),
  ];
  const line = pieces
    .flat()
    .filter((point, index, all) => index === 0 || distance(point, all[index - 1]!) > 0.05);
  return { metres: lengthOf(line), seconds: best.seconds, line };
}

/** The part of a way between two distances from its beginning; the second may be the smaller one. */
function partOf({ line }: Way, from: number, to: number): Line {
  const [low, high] = from < to ? [from, to] : [to, from];
  const part: Point[] = [];
  let at = 0;
  for (let index = 1; index < line.length; index++) {
    const [a, b] = [line[index - 1]!, line[index]!];
    const length = distance(a, b);
    if (low >= at && low <= at + length && part.length === 0) part.push(between(a, b, (low - at) / length));
    if (part.length > 0 && at + length < high) part.push(b);
    if (part.length > 0 && high <= at + length) {
      part.push(between(a, b, (high - at) / length));
      break;
    }
    at += length;
  }
  if (part.length < 2) part.push(line.at(-1)!);
  return from < to ? part : part.toReversed();
}

const treeFrom = (place: Place, profile: Profile) => {
  const { city, leaving } = streets();
  return searchFrom(exits(place, profile), leaving, (way) => secondsOn(city.ways[way]!, profile));
};

function matrixOf(places: readonly Place[], profile: Profile): Matrix {
  const rows = places.map((from) => {
    const tree = treeFrom(from, profile);
    return places.map((to) => (to === from ? null : pathTo(from, to, profile, tree)));
  });
  const table = (read: (path: Found) => number) =>
    rows.map((row) => row.map((path) => (path ? Math.round(read(path)) : 0)));
  return { metres: table(({ metres }) => metres), seconds: table(({ seconds }) => seconds) };
}

function routeThrough(places: readonly Place[], profile: Profile): RoadRoute {
  const paths = places.slice(1).map((to, index) => {
    const from = places[index]!;
    return pathTo(from, to, profile, treeFrom(from, profile));
  });
  const legs = paths.map(({ metres, seconds }) => ({
    metres: Math.round(metres),
    seconds: Math.round(seconds),
  }));
  return {
    metres: legs.reduce((sum, { metres }) => sum + metres, 0),
    seconds: legs.reduce((sum, { seconds }) => sum + seconds, 0),
    legs,
    geometry: paths
      .flatMap(({ line }) => line)
      .map((point) => {
        const { lat, lng } = toPosition(point);
        return [lng, lat];
      }),
  };
}
