import type { ScheduledEvent } from '../events/recordScheduledEvents.ts';
import type { ScheduledStop } from './scheduled.ts';

/** Tells the system that created a stop, in its own words for it, that the stop is gone. */
export const stopRemoved = (scheduledId: number, stop: ScheduledStop): ScheduledEvent => ({
  scheduledId,
  type: 'scheduled.stop_removed',
  payload: {
    stopId: stop.id,
    externalId: stop.externalId,
    orderNumber: stop.orderNumber,
    orderedWith: stop.orderedWith,
  },
});
