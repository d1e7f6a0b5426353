import { haversineMetres, type Position } from '../kernel/position.ts';
import { shareOf } from './courier.ts';
import { asReported } from './journey.ts';

/** Idle couriers move slowly. */
export const IDLE_PACE = 0.35;

const LOITER_METRES = [150, 900] as const;
const BEGIN_METRES_MAX = 1_800;
const METRES_PER_DEGREE = 111_195;

/** Where an idle courier moves: near its preferred busy place, up to its own distance. Null: it stays. */
export function driftGoal(courierId: number, here: Position, busy: readonly Position[]): Position | null {
  const place = busy[courierId % busy.length];
  if (!place) return null;
  const [min, max] = LOITER_METRES;
  return haversineMetres(here, place) > min + (max - min) * shareOf(courierId) ? place : null;
}

/** The first position of a courier that has none: near a busy place. */
export function firstPlace(courierId: number, busy: readonly Position[]): Position | null {
  const place = busy[courierId % busy.length];
  if (!place) return null;
  const angle = 2 * Math.PI * shareOf(courierId);
  const degrees = (BEGIN_METRES_MAX * shareOf(courierId + 1)) / METRES_PER_DEGREE;
  return asReported({
    lat: place.lat + degrees * Math.sin(angle),
    lng: place.lng + (degrees * Math.cos(angle)) / Math.cos((place.lat * Math.PI) / 180),
  });
}
