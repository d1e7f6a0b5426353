import { stopRemoved as toldOfStop } from '../deliveries/stopRemoved.ts';
import type { ScheduledEvent } from '../events/recordScheduledEvents.ts';
import type { ScheduledStop } from './scheduled.ts';

/** Tells the system that created a stop, in its own words for it, that the stop is gone. */
export const stopRemoved = (scheduledId: number, stop: ScheduledStop): ScheduledEvent => ({
  scheduledId,
  type: 'scheduled.stop_removed',
  payload: toldOfStop(stop),
});
