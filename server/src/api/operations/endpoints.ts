import type { Endpoint } from '../http/endpoint.ts';
import type { Api } from '../http/server.ts';
import {
  checkAddressEndpoint,
  correctAddressEndpoint,
  correctStopEndpoint,
  locateAddressEndpoint,
  reverseAddressEndpoint,
  searchAddressesEndpoint,
} from './endpoints/addresses.ts';
import { exportAreasEndpoint, importAreasEndpoint } from './endpoints/areas.ts';
import { listChangesEndpoint } from './endpoints/audit.ts';
import { closingEndpoints } from './endpoints/closings.ts';
import { concludeStopEndpoint } from './endpoints/concludeStop.ts';
import { getDeliveryDetailEndpoint } from './endpoints/deliveryDetail.ts';
import { getHistoryEndpoint } from './endpoints/deliveryHistory.ts';
import { endDeviceEndpoint, inviteDeviceEndpoint, listDevicesEndpoint } from './endpoints/devices.ts';
import {
  getCurrentRunEndpoint,
  listDriversAtWorkEndpoint,
  reportPositionEndpoint,
  reportPositionsEndpoint,
  setAvailabilityEndpoint,
} from './endpoints/drivers.ts';
import { getDriverWorkEndpoint, watchDriverWorkEndpoint } from './endpoints/driverWork.ts';
import {
  enterByHandEndpoint,
  readDriverStatementEndpoint,
  readEarningsEndpoint,
} from './endpoints/earnings.ts';
import { editStopsEndpoint, previewStopsEditEndpoint } from './endpoints/editStops.ts';
import { explainEstimateEndpoint } from './endpoints/explainEstimate.ts';
import {
  failStopEndpoint,
  listFailuresEndpoint,
  redeliverStopEndpoint,
  reopenStopEndpoint,
  resolveFailureEndpoint,
} from './endpoints/failures.ts';
import {
  listMergesEndpoint,
  previewDeliveryGroupingEndpoint,
  previewGroupingEndpoint,
} from './endpoints/grouping.ts';
import { askForHelpEndpoint, endHelpEndpoint } from './endpoints/help.ts';
import { findRecipientsEndpoint, listKnownAddressesEndpoint } from './endpoints/knownAddresses.ts';
import { watchEventsEndpoint } from './endpoints/live.ts';
import {
  dismissDeliveryEndpoint,
  listNotAttendedEndpoint,
  orderAgainEndpoint,
} from './endpoints/notAttended.ts';
import { getSummaryEndpoint, listOpenDeliveriesEndpoint, listOptionsEndpoint } from './endpoints/overview.ts';
import { pixTopUpEndpoints } from './endpoints/pixTopUps.ts';
import { proofEndpoints } from './endpoints/proof.ts';
import { subscribePushEndpoint, unsubscribePushEndpoint } from './endpoints/push.ts';
import { readStatementEndpoint } from './endpoints/readStatement.ts';
import {
  listCandidatesEndpoint,
  previewReassignmentEndpoint,
  reassignDeliveryEndpoint,
} from './endpoints/reassign.ts';
import { reportEndpoints } from './endpoints/reports.ts';
import { drawRouteEndpoint, getDeliveryRouteEndpoint } from './endpoints/roads.ts';
import {
  cancelScheduledEndpoint,
  getScheduledEndpoint,
  listScheduledEndpoint,
  retryDispatchEndpoint,
} from './endpoints/scheduled.ts';
import { searchEndpoint } from './endpoints/search.ts';
import {
  acceptDeliveryEndpoint,
  arriveAtPickupEndpoint,
  arriveAtStopEndpoint,
  assignDeliveryEndpoint,
  finishDeliveryEndpoint,
  giveUpDeliveryEndpoint,
  holdDeliveryEndpoint,
  refuseDeliveryEndpoint,
  releaseDeliveryEndpoint,
  resumeDeliveryEndpoint,
  startDeliveryEndpoint,
} from './endpoints/steps.ts';
import { deliveryListEndpoints } from './lists/deliveries.ts';
import { ledgerListEndpoints } from './lists/ledgers.ts';
import { registerListEndpoints } from './lists/registers.ts';
import { savedViewEndpoints } from './lists/savedViews.ts';
import { scheduledListEndpoints } from './lists/scheduled.ts';
import { keyEndpoints, userEndpoints } from './registers/access.ts';
import { areaEndpoints } from './registers/areas.ts';
import { companyEndpoints } from './registers/companies.ts';
import { companyAddressEndpoints } from './registers/companyAddresses.ts';
import { couponEndpoints } from './registers/coupons.ts';
import { driverEndpoints } from './registers/drivers.ts';
import { reasonEndpoints, settingsEndpoints } from './registers/settings.ts';
import { categoryEndpoints, tariffEndpoints } from './registers/tariffs.ts';

export const OPERATION_BASE = '/api/v2/operacao';

/** The operator's and driver's side, in the order of the completions. */
export const operationEndpoints: readonly Endpoint[] = [
  // registers
  ...companyEndpoints,
  ...companyAddressEndpoints,
  readStatementEndpoint,
  ...categoryEndpoints,
  ...tariffEndpoints,
  ...areaEndpoints,
  importAreasEndpoint,
  exportAreasEndpoint,
  ...driverEndpoints,
  ...userEndpoints,
  ...keyEndpoints,
  ...couponEndpoints,
  ...reasonEndpoints,
  ...settingsEndpoints,
  explainEstimateEndpoint,
  drawRouteEndpoint,
  // addresses
  searchAddressesEndpoint,
  locateAddressEndpoint,
  reverseAddressEndpoint,
  correctAddressEndpoint,
  correctStopEndpoint,
  checkAddressEndpoint,
  listKnownAddressesEndpoint,
  findRecipientsEndpoint,
  // a delivery's steps
  acceptDeliveryEndpoint,
  refuseDeliveryEndpoint,
  arriveAtPickupEndpoint,
  startDeliveryEndpoint,
  arriveAtStopEndpoint,
  concludeStopEndpoint,
  failStopEndpoint,
  reopenStopEndpoint,
  redeliverStopEndpoint,
  resolveFailureEndpoint,
  ...proofEndpoints,
  finishDeliveryEndpoint,
  giveUpDeliveryEndpoint,
  releaseDeliveryEndpoint,
  holdDeliveryEndpoint,
  resumeDeliveryEndpoint,
  assignDeliveryEndpoint,
  reassignDeliveryEndpoint,
  previewReassignmentEndpoint,
  listCandidatesEndpoint,
  editStopsEndpoint,
  previewStopsEditEndpoint,
  getCurrentRunEndpoint,
  // drivers
  reportPositionEndpoint,
  reportPositionsEndpoint,
  setAvailabilityEndpoint,
  getDriverWorkEndpoint,
  watchDriverWorkEndpoint,
  readEarningsEndpoint,
  readDriverStatementEndpoint,
  enterByHandEndpoint,
  askForHelpEndpoint,
  endHelpEndpoint,
  inviteDeviceEndpoint,
  listDevicesEndpoint,
  subscribePushEndpoint,
  unsubscribePushEndpoint,
  endDeviceEndpoint,
  // closings
  ...closingEndpoints,
  // reports
  ...reportEndpoints,
  listChangesEndpoint,
  ...pixTopUpEndpoints,
  // scheduled deliveries
  listScheduledEndpoint,
  getScheduledEndpoint,
  cancelScheduledEndpoint,
  retryDispatchEndpoint,
  listNotAttendedEndpoint,
  orderAgainEndpoint,
  dismissDeliveryEndpoint,
  previewGroupingEndpoint,
  listMergesEndpoint,
  // lists
  ...deliveryListEndpoints,
  ...scheduledListEndpoints,
  ...registerListEndpoints,
  ...ledgerListEndpoints,
  // search
  searchEndpoint,
  ...savedViewEndpoints,
  // live updates
  watchEventsEndpoint,
  getSummaryEndpoint,
  listOptionsEndpoint,
  listOpenDeliveriesEndpoint,
  getDeliveryDetailEndpoint,
  getHistoryEndpoint,
  getDeliveryRouteEndpoint,
  previewDeliveryGroupingEndpoint,
  listDriversAtWorkEndpoint,
  listFailuresEndpoint,
];

export const operationApi: Api = {
  title: 'Operação',
  base: OPERATION_BASE,
  endpoints: operationEndpoints,
  kindInErrors: true,
};
