import type { Central } from '../centrals/central.ts';
import type { Position } from '../kernel/position.ts';
import { estimatorFor } from '../routing/estimatorRouters.ts';
import type { Profile, RoadRoute } from '../routing/router.ts';
import type { CourierNeeds, Memory } from './courierNeeds.ts';
import { drive, isOn, setOff } from './journey.ts';

/** A moving courier is heard of after so many simulated seconds, as from a phone. */
export const REPORT_SECONDS = 5;

/** Where a courier is after driving on towards a place for so many seconds. */
export async function advance(
  needs: CourierNeeds,
  memory: Memory,
  central: Central,
  { driverId, from, to, profile }: { driverId: number; from: Position; to: Position; profile: Profile },
  seconds: number,
): Promise<Position> {
  const key = `${central.id} ${driverId}`;
  const known = memory.journeys.get(key);
  const journey =
    known && isOn(known, from, to)
      ? known
      : setOff(from, to, await routeBetween(needs, central, [from, to], profile));
  const further = drive(journey, seconds);
  memory.journeys.set(key, further);
  return further.at;
}

/** A simulation goes on where the roads end: over an island's shore in a straight line. */
async function routeBetween(
  { routers }: CourierNeeds,
  { settings }: Central,
  points: readonly Position[],
  profile: Profile,
): Promise<RoadRoute> {
  try {
    return await routers.forEstimates(settings).route(points, profile);
  } catch {
    return estimatorFor(settings).route(points, profile);
  }
}
