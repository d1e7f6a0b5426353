import type { Position } from '../../platform/kernel/position.ts';
import { EngineUnavailable } from '../engines/callGuard.ts';

/** How a category's vehicle uses the roads. */
export const PROFILES = ['motorcycle', 'car', 'bicycle'] as const;
export type Profile = (typeof PROFILES)[number];

/** Row = from, column = to. A cell is null where the road network has no way. */
export interface Matrix {
  metres: (number | null)[][];
  seconds: (number | null)[][];
}

export interface RoadRoute {
  metres: number;
  seconds: number;
  legs: { metres: number; seconds: number }[];
  /** [lng, lat] pairs, as GeoJSON has them. */
  geometry: [number, number][];
}

/**
 * The interface of all routers. Integer metres and seconds. Rejects with RoutingUnavailable when the engine does
 * not answer in time or answers invalid data, and with PointOffRoad when a point lies too far from any road.
 */
export interface Router {
  readonly name: string;
  matrix(points: readonly Position[], profile: Profile): Promise<Matrix>;
  route(points: readonly Position[], profile: Profile): Promise<RoadRoute>;
}

export class RoutingUnavailable extends EngineUnavailable {
  override name = 'RoutingUnavailable';
}

/**
 * The engine works and finds no route between the points, or none within its limits: a retry changes nothing. In a
 * matrix this is a null cell instead.
 */
export class NoRoadBetween extends RoutingUnavailable {
  override name = 'NoRoadBetween';
}

export class PointOffRoad extends Error {
  override name = 'PointOffRoad';
  readonly index: number;
  constructor(index: number) {
    super(`point ${index} is too far from any road`);
    this.index = index;
  }
}

/** The engine gives no route for these points: it is out of order, or a point or all of them are out of its reach. */
export const isUnroutable = (error: unknown): boolean =>
  error instanceof RoutingUnavailable || error instanceof PointOffRoad;

/** An engine answers such a point, also the pole, with an error about the whole request. */
export function assertOnEarth(points: readonly Position[]): void {
  const index = points.findIndex(({ lat, lng }) => !(Math.abs(lat) < 90 && Math.abs(lng) <= 180));
  if (index !== -1) throw new PointOffRoad(index);
}
