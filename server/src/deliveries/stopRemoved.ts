import type { EventPayload } from '../events/event.ts';

interface RemovedStop {
  id: number;
  orderedWith: number;
  orderNumber: string | null;
  externalId: string | null;
}

/** Tells the system that created a stop, in its own words for it, that the stop is gone. */
export const stopRemoved = (stop: RemovedStop): EventPayload => ({
  stopId: stop.id,
  externalId: stop.externalId,
  orderNumber: stop.orderNumber,
  orderedWith: stop.orderedWith,
});
