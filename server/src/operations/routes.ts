import type { Route } from '../http/route.ts';
import { releaseDeliveryRoute } from './routes/releaseDelivery.ts';

export const OPERATION_BASE = '/api/v2/operacao';

/** The operator's and driver's side, in the order of the completions. */
export const operationRoutes: readonly Route[] = [
  // a delivery's steps
  releaseDeliveryRoute,
];
