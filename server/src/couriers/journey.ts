import { haversineMetres, type Position, samePlace } from '../kernel/position.ts';
import type { RoadRoute } from '../routing/router.ts';

/** A route being driven. It only caches the router's answer: without it the rest is requested again. */
export interface Journey {
  to: Position;
  /** The courier's position on the route. */
  at: Position;
  line: readonly Position[];
  /** For each point of the line, its distance from the start. */
  metres: readonly number[];
  seconds: number;
  driven: number;
}

export function setOff(from: Position, to: Position, route: RoadRoute): Journey {
  const line = route.geometry.map(([lng, lat]): Position => ({ lat, lng }));
  const metres: number[] = [];
  for (const [index, point] of line.entries())
    metres.push(index === 0 ? 0 : metres[index - 1]! + haversineMetres(line[index - 1]!, point));
  return { to, at: from, line, metres, seconds: route.seconds, driven: 0 };
}

/** Whether a courier between these two positions is on this route. */
export const isOn = (journey: Journey, here: Position, to: Position): boolean =>
  samePlace(journey.to, to) && journey.at.lat === here.lat && journey.at.lng === here.lng;

/** The route after more seconds: at constant speed along the line, and exactly at its end. */
export function drive(journey: Journey, seconds: number): Journey {
  const driven = journey.driven + seconds;
  if (driven >= journey.seconds) return { ...journey, driven, at: journey.to };
  return { ...journey, driven, at: pointAlong(journey, driven / journey.seconds) };
}

function pointAlong({ line, metres, at }: Journey, share: number): Position {
  const length = metres.at(-1) ?? 0;
  const reached = length * share;
  const next = metres.findIndex((distance) => distance > reached);
  if (next <= 0) return line[0] ?? at;
  const from = line[next - 1]!;
  const to = line[next]!;
  const part = (reached - metres[next - 1]!) / (metres[next]! - metres[next - 1]!);
  return asReported({
    lat: from.lat + (to.lat - from.lat) * part,
    lng: from.lng + (to.lng - from.lng) * part,
  });
}

/** Phones report positions to a tenth of a metre. */
export const asReported = ({ lat, lng }: Position): Position => ({
  lat: sixDecimals(lat),
  lng: sixDecimals(lng),
});

const sixDecimals = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
