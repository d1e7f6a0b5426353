import type { Api } from '../http/api.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { listAreasEndpoint } from './endpoints/areas.ts';
import {
  cancelDeliveriesEndpoint,
  cancelManyScheduledEndpoint,
  createDeliveriesEndpoint,
  createManyScheduledEndpoint,
  getStatusesEndpoint,
} from './endpoints/bulk.ts';
import { getDeliveryByKeyEndpoint, getScheduledByKeyEndpoint } from './endpoints/byExternalId.ts';
import { getBalanceEndpoint, topUpCreditsEndpoint, withdrawCreditsEndpoint } from './endpoints/credits.ts';
import {
  cancelDeliveryEndpoint,
  createDeliveryEndpoint,
  editDeliveryEndpoint,
  getDeliveryEndpoint,
  getDriverPositionEndpoint,
  getStatusEndpoint,
  getTrackingLinksEndpoint,
  queryDeliveriesEndpoint,
  removeStopEndpoint,
} from './endpoints/deliveries.ts';
import { getDeliveryDetailEndpoint } from './endpoints/deliveryDetail.ts';
import { estimateDeliveryEndpoint, estimateWithoutCompanyEndpoint } from './endpoints/estimates.ts';
import { followEventsEndpoint, testEventsEndpoint } from './endpoints/events.ts';
import {
  groupDeliveriesEndpoint,
  groupScheduledEndpoint,
  groupScheduledIntoDeliveryEndpoint,
} from './endpoints/grouping.ts';
import { createQuoteEndpoint } from './endpoints/quotes.ts';
import { getReceiptEndpoint } from './endpoints/receipts.ts';
import { getRequestEndpoint, listRequestsEndpoint } from './endpoints/requests.ts';
import { advanceClockEndpoint, getSandboxEndpoint, wipeSandboxEndpoint } from './endpoints/sandbox.ts';
import {
  cancelScheduledEndpoint,
  createScheduledEndpoint,
  editScheduledEndpoint,
  getScheduledEndpoint,
  listScheduledEndpoint,
  removeScheduledStopEndpoint,
} from './endpoints/scheduledDeliveries.ts';
import {
  listMessagesEndpoint,
  replayMessageEndpoint,
  replayMessagesEndpoint,
} from './endpoints/webhookLog.ts';
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  getWebhookStatusEndpoint,
  listWebhooksEndpoint,
  rotateWebhookSecretEndpoint,
  testWebhookEndpoint,
  webhookTexts,
} from './endpoints/webhooks.ts';

export const INTEGRATION_BASE = '/api/v2/integracao';

/** The integration interface, in the order of the contract: its own endpoints, and then those that this service adds. */
export const integrationEndpoints: readonly Endpoint[] = [
  estimateDeliveryEndpoint, // 4.1
  groupScheduledEndpoint, // 4.2
  editScheduledEndpoint, // 4.3
  queryDeliveriesEndpoint, // 4.4
  topUpCreditsEndpoint, // 4.5
  groupScheduledIntoDeliveryEndpoint, // 4.6
  groupDeliveriesEndpoint, // 4.7
  cancelDeliveryEndpoint, // 4.8
  listScheduledEndpoint, // 4.9
  getReceiptEndpoint, // 4.10
  getTrackingLinksEndpoint, // 4.11
  removeScheduledStopEndpoint, // 4.12
  listAreasEndpoint, // 4.13
  getBalanceEndpoint, // 4.14
  cancelScheduledEndpoint, // 4.15
  getStatusEndpoint, // 4.16
  createDeliveryEndpoint,
  createScheduledEndpoint,
  createDeliveriesEndpoint,
  createManyScheduledEndpoint,
  getStatusesEndpoint,
  cancelDeliveriesEndpoint,
  cancelManyScheduledEndpoint,
  createQuoteEndpoint,
  estimateWithoutCompanyEndpoint,
  getDeliveryEndpoint,
  getDeliveryDetailEndpoint,
  editDeliveryEndpoint,
  removeStopEndpoint,
  getScheduledEndpoint,
  getDriverPositionEndpoint,
  getDeliveryByKeyEndpoint,
  getScheduledByKeyEndpoint,
  withdrawCreditsEndpoint,
  listWebhooksEndpoint,
  createWebhookEndpoint,
  getWebhookEndpoint,
  getWebhookStatusEndpoint,
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecretEndpoint,
  testWebhookEndpoint,
  listMessagesEndpoint,
  replayMessageEndpoint,
  replayMessagesEndpoint,
  getSandboxEndpoint,
  advanceClockEndpoint,
  wipeSandboxEndpoint,
  followEventsEndpoint,
  testEventsEndpoint,
  listRequestsEndpoint,
  getRequestEndpoint,
];

export const integrationApi: Api = {
  title: 'Integração',
  base: INTEGRATION_BASE,
  endpoints: integrationEndpoints,
  webhooks: webhookTexts,
  isPreparedAtStart: true,
  hasClient: true,
};
