import type { Caller } from '../centrals/caller.ts';
import type { Position } from '../kernel/position.ts';
import { estimatorFor } from '../routing/estimatorRouters.ts';
import { PointOffRoad, type Profile, type RoadRoute, RoutingUnavailable } from '../routing/router.ts';
import type { EstimateNeeds } from './estimateTrip.ts';

/** The way through some places as a line to look at: along the roads where they are known, otherwise straight. */
export async function drawRoute(
  { routers }: Pick<EstimateNeeds, 'routers'>,
  { central: { settings } }: Pick<Caller, 'central'>,
  points: readonly Position[],
  profile: Profile,
): Promise<RoadRoute> {
  try {
    return await routers.forEstimates(settings).route(points, profile);
  } catch (error) {
    if (!(error instanceof RoutingUnavailable || error instanceof PointOffRoad)) throw error;
    return estimatorFor(settings).route(points, profile);
  }
}
