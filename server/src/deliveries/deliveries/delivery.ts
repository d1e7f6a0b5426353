import type { RequestCore } from '../orders/request.ts';
import type { Status } from './status.ts';

/**
 * A delivery that is carried out now.
 *
 * An integrator or an operator opens it, or the dispatcher makes it from a scheduled delivery that is due. The central
 * searches for a driver, who accepts, arrives at the pickup, starts, concludes the stops one by one and finishes. The
 * table in status.ts defines the steps from each status.
 *
 * While in progress it may be grouped into another delivery. That delivery then carries its stops, `groupedInto`
 * names it, and its status follows that delivery's, until it is cancelled alone.
 */
export interface Delivery extends RequestCore {
  status: Status;
  reservedCents: number;
  driverId: number | null;
  driverSpecified: boolean;
  /** Whether it returns only because goods could not be handed over. */
  returnAdded: boolean;
  acceptedAt: Temporal.Instant | null;
  arrivedAt: Temporal.Instant | null;
  startedAt: Temporal.Instant | null;
  finishedAt: Temporal.Instant | null;
}

/** The fields of a delivery that a step reads. */
export type Stepping = Pick<Delivery, 'id' | 'status' | 'driverId'>;
