import type { Route } from '../http/route.ts';
import { cancelDeliveryRoute } from './routes/cancelDelivery.ts';
import { createDeliveryRoute } from './routes/createDelivery.ts';
import { getDeliveryRoute } from './routes/getDelivery.ts';
import { getStatusRoute } from './routes/getStatus.ts';
import { queryDeliveriesRoute } from './routes/queryDeliveries.ts';

export const INTEGRATION_BASE = '/api/v2/integracao';

/** The integration interface, in the contract's order; then what the completions add. */
export const integrationRoutes: readonly Route[] = [
  queryDeliveriesRoute, // 4.4
  cancelDeliveryRoute, // 4.8
  getStatusRoute, // 4.16
  createDeliveryRoute,
  getDeliveryRoute,
];
