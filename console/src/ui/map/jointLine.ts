import type { JointTrip } from '../../data/scheduled.ts';

/** The way as the router drew it; straight from stop to stop where it did not. */
export function jointLine(trip: JointTrip | undefined): [number, number][] {
  if (!trip) return [];
  if (trip.trajeto) return trip.trajeto.coordinates;
  const along = [trip.coleta, ...trip.paradas, ...(trip.com_retorno ? [trip.coleta] : [])];
  return along.map(({ lat, lng }) => [lng, lat]);
}
