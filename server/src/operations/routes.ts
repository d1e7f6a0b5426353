import type { Route } from '../http/route.ts';
import { areaRoutes } from './registers/areas.ts';
import { categoryRoutes } from './registers/categories.ts';
import { companyRoutes } from './registers/companies.ts';
import { couponRoutes } from './registers/coupons.ts';
import { driverRoutes } from './registers/drivers.ts';
import { keyRoutes } from './registers/keys.ts';
import { reasonRoutes } from './registers/reasons.ts';
import { settingsRoutes } from './registers/settings.ts';
import { tariffRoutes } from './registers/tariffs.ts';
import { userRoutes } from './registers/users.ts';
import { acceptDeliveryRoute } from './routes/acceptDelivery.ts';
import { arriveAtPickupRoute } from './routes/arriveAtPickup.ts';
import { assignDeliveryRoute } from './routes/assignDelivery.ts';
import { cancelScheduledRoute } from './routes/cancelScheduled.ts';
import { concludeStopRoute } from './routes/concludeStop.ts';
import { drawRouteRoute } from './routes/drawRoute.ts';
import { explainEstimateRoute } from './routes/explainEstimate.ts';
import { exportAreasRoute } from './routes/exportAreas.ts';
import { finishDeliveryRoute } from './routes/finishDelivery.ts';
import { getCarriageRoute } from './routes/getCarriage.ts';
import { getDeliveryRouteRoute } from './routes/getDeliveryRoute.ts';
import { getDeliverySheetRoute } from './routes/getDeliverySheet.ts';
import { getHistoryRoute } from './routes/getHistory.ts';
import { getScheduledRoute } from './routes/getScheduled.ts';
import { getSummaryRoute } from './routes/getSummary.ts';
import { giveUpDeliveryRoute } from './routes/giveUpDelivery.ts';
import { importAreasRoute } from './routes/importAreas.ts';
import { listDriversAtWorkRoute } from './routes/listDriversAtWork.ts';
import { listMergesRoute } from './routes/listMerges.ts';
import { listOpenDeliveriesRoute } from './routes/listOpenDeliveries.ts';
import { listOptionsRoute } from './routes/listOptions.ts';
import { listScheduledRoute } from './routes/listScheduled.ts';
import { previewDeliveryGroupingRoute } from './routes/previewDeliveryGrouping.ts';
import { previewGroupingRoute } from './routes/previewGrouping.ts';
import { readStatementRoute } from './routes/readStatement.ts';
import { refuseDeliveryRoute } from './routes/refuseDelivery.ts';
import { releaseDeliveryRoute } from './routes/releaseDelivery.ts';
import { reportPositionRoute } from './routes/reportPosition.ts';
import { setAvailabilityRoute } from './routes/setAvailability.ts';
import { startDeliveryRoute } from './routes/startDelivery.ts';
import { watchEventsRoute } from './routes/watchEvents.ts';

export const OPERATION_BASE = '/api/v2/operacao';

/** The operator's and driver's side, in the order of the completions. */
export const operationRoutes: readonly Route[] = [
  // registers
  ...companyRoutes,
  readStatementRoute,
  ...categoryRoutes,
  ...tariffRoutes,
  ...areaRoutes,
  importAreasRoute,
  exportAreasRoute,
  ...driverRoutes,
  ...userRoutes,
  ...keyRoutes,
  ...couponRoutes,
  ...reasonRoutes,
  ...settingsRoutes,
  explainEstimateRoute,
  drawRouteRoute,
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
  getCarriageRoute,
  // drivers
  reportPositionRoute,
  setAvailabilityRoute,
  // scheduled deliveries
  listScheduledRoute,
  getScheduledRoute,
  cancelScheduledRoute,
  previewGroupingRoute,
  listMergesRoute,
  // live updates
  watchEventsRoute,
  getSummaryRoute,
  listOptionsRoute,
  listOpenDeliveriesRoute,
  getDeliverySheetRoute,
  getHistoryRoute,
  getDeliveryRouteRoute,
  previewDeliveryGroupingRoute,
  listDriversAtWorkRoute,
];
