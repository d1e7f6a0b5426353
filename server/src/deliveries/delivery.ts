import type { Address, Payment } from '../requests/order.ts';
import type { Status } from './status.ts';

/**
 * A delivery request.
 *
 * It is opened by an integrator, an operator, or the dispatcher when a scheduled delivery falls due. The
 * central looks for a driver, who accepts, arrives at the pickup, starts, concludes the stops one by one
 * and finishes. What can happen when is told by the table in status.ts.
 *
 * While in progress it may be grouped into another one: its stops are carried there, `groupedInto` names
 * the grouper, and its status follows the grouper's from then on, until it is cancelled alone.
 */
export interface Delivery {
  id: number;
  status: Status;
  groupedInto: number | null;
  companyId: number | null;
  customerId: number;
  categoryId: number;
  tariffId: number;
  payment: Payment;
  returning: boolean;
  discountPercent: string;
  pickup: Address;
  plannedMetres: number;
  plannedSeconds: number;
  grossCents: number;
  netCents: number;
  reservedCents: number;
  driverId: number | null;
  driverSpecified: boolean;
  requestedAt: Temporal.Instant;
  acceptedAt: Temporal.Instant | null;
  arrivedAt: Temporal.Instant | null;
  startedAt: Temporal.Instant | null;
  finishedAt: Temporal.Instant | null;
  version: number;
}
