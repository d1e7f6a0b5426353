import type { Route } from '../http/route.ts';
import { acceptDeliveryRoute } from './routes/acceptDelivery.ts';
import { arriveAtPickupRoute } from './routes/arriveAtPickup.ts';
import { assignDeliveryRoute } from './routes/assignDelivery.ts';
import { cancelScheduledRoute } from './routes/cancelScheduled.ts';
import { concludeStopRoute } from './routes/concludeStop.ts';
import { finishDeliveryRoute } from './routes/finishDelivery.ts';
import { giveUpDeliveryRoute } from './routes/giveUpDelivery.ts';
import { refuseDeliveryRoute } from './routes/refuseDelivery.ts';
import { releaseDeliveryRoute } from './routes/releaseDelivery.ts';
import { reportPositionRoute } from './routes/reportPosition.ts';
import { setAvailabilityRoute } from './routes/setAvailability.ts';
import { startDeliveryRoute } from './routes/startDelivery.ts';

export const OPERATION_BASE = '/api/v2/operacao';

/** The operator's and driver's side, in the order of the completions. */
export const operationRoutes: readonly Route[] = [
  // a delivery's steps
  acceptDeliveryRoute,
  refuseDeliveryRoute,
  arriveAtPickupRoute,
  startDeliveryRoute,
  concludeStopRoute,
  finishDeliveryRoute,
  giveUpDeliveryRoute,
  releaseDeliveryRoute,
  assignDeliveryRoute,
  // drivers
  reportPositionRoute,
  setAvailabilityRoute,
  // scheduled deliveries
  cancelScheduledRoute,
];
