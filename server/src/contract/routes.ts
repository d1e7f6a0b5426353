import type { Route } from '../http/route.ts';
import { cancelDeliveryRoute } from './routes/cancelDelivery.ts';
import { cancelScheduledRoute } from './routes/cancelScheduled.ts';
import { changeWebhookRoute } from './routes/changeWebhook.ts';
import { createDeliveryRoute } from './routes/createDelivery.ts';
import { createScheduledRoute } from './routes/createScheduled.ts';
import { createWebhookRoute } from './routes/createWebhook.ts';
import { deleteWebhookRoute } from './routes/deleteWebhook.ts';
import { editDeliveryRoute } from './routes/editDelivery.ts';
import { editScheduledRoute } from './routes/editScheduled.ts';
import { estimateDeliveryRoute, estimateWithoutCompanyRoute } from './routes/estimateDelivery.ts';
import { getBalanceRoute } from './routes/getBalance.ts';
import { getDeliveryRoute } from './routes/getDelivery.ts';
import { getDeliveryDetailRoute } from './routes/getDeliveryDetail.ts';
import { getDriverPositionRoute } from './routes/getDriverPosition.ts';
import { getReceiptRoute } from './routes/getReceipt.ts';
import { getScheduledRoute } from './routes/getScheduled.ts';
import { getStatusRoute } from './routes/getStatus.ts';
import { getTrackingLinksRoute } from './routes/getTrackingLinks.ts';
import { getWebhookRoute } from './routes/getWebhook.ts';
import { getWebhookStatusRoute } from './routes/getWebhookStatus.ts';
import { groupDeliveriesRoute } from './routes/groupDeliveries.ts';
import { groupScheduledRoute } from './routes/groupScheduled.ts';
import { groupScheduledIntoDeliveryRoute } from './routes/groupScheduledIntoDelivery.ts';
import { listAreasRoute } from './routes/listAreas.ts';
import { listScheduledRoute } from './routes/listScheduled.ts';
import { listSendingsRoute } from './routes/listSendings.ts';
import { listWebhooksRoute } from './routes/listWebhooks.ts';
import { queryDeliveriesRoute } from './routes/queryDeliveries.ts';
import { removeScheduledStopRoute } from './routes/removeScheduledStop.ts';
import { removeStopRoute } from './routes/removeStop.ts';
import { replaySendingRoute } from './routes/replaySending.ts';
import { replaySendingsRoute } from './routes/replaySendings.ts';
import { rotateWebhookSecretRoute } from './routes/rotateWebhookSecret.ts';
import { testWebhookRoute } from './routes/testWebhook.ts';
import { topUpCreditsRoute } from './routes/topUpCredits.ts';
import { withdrawCreditsRoute } from './routes/withdrawCredits.ts';

export const INTEGRATION_BASE = '/api/v2/integracao';

/** The integration interface, in the contract's order; then what the completions add. */
export const integrationRoutes: readonly Route[] = [
  estimateDeliveryRoute, // 4.1
  groupScheduledRoute, // 4.2
  editScheduledRoute, // 4.3
  queryDeliveriesRoute, // 4.4
  topUpCreditsRoute, // 4.5
  groupScheduledIntoDeliveryRoute, // 4.6
  groupDeliveriesRoute, // 4.7
  cancelDeliveryRoute, // 4.8
  listScheduledRoute, // 4.9
  getReceiptRoute, // 4.10
  getTrackingLinksRoute, // 4.11
  removeScheduledStopRoute, // 4.12
  listAreasRoute, // 4.13
  getBalanceRoute, // 4.14
  cancelScheduledRoute, // 4.15
  getStatusRoute, // 4.16
  createDeliveryRoute,
  createScheduledRoute,
  estimateWithoutCompanyRoute,
  getDeliveryRoute,
  getDeliveryDetailRoute,
  editDeliveryRoute,
  removeStopRoute,
  getScheduledRoute,
  getDriverPositionRoute,
  withdrawCreditsRoute,
  listWebhooksRoute,
  createWebhookRoute,
  getWebhookRoute,
  getWebhookStatusRoute,
  changeWebhookRoute,
  deleteWebhookRoute,
  rotateWebhookSecretRoute,
  testWebhookRoute,
  listSendingsRoute,
  replaySendingRoute,
  replaySendingsRoute,
];
