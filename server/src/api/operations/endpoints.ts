import type { Api } from '../http/api.ts';
import type { Endpoint } from '../http/endpoint.ts';
import {
  checkAddressEndpoint,
  locateAddressEndpoint,
  reverseAddressEndpoint,
  searchAddressesEndpoint,
} from './endpoints/addresses.ts';
import { exportAreasEndpoint, importAreasEndpoint } from './endpoints/areaFiles.ts';
import { listChangesEndpoint } from './endpoints/audit.ts';
import { closingEndpoints } from './endpoints/closings.ts';
import { correctionEndpoints } from './endpoints/corrections.ts';
import { getDeliveryDetailEndpoint } from './endpoints/deliveryForOperators.ts';
import { getHistoryEndpoint } from './endpoints/deliveryHistory.ts';
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
} from './endpoints/deliverySteps.ts';
import { endDeviceEndpoint, inviteDeviceEndpoint, listDevicesEndpoint } from './endpoints/devices.ts';
import {
  getCurrentRunEndpoint,
  listDriversAtWorkEndpoint,
  reportPositionEndpoint,
  reportPositionsEndpoint,
  setAvailabilityEndpoint,
} from './endpoints/driversAtWork.ts';
import { getDriverWorkEndpoint, watchDriverWorkEndpoint } from './endpoints/driverWork.ts';
import {
  enterByHandEndpoint,
  readDriverStatementEndpoint,
  readEarningsEndpoint,
} from './endpoints/earnings.ts';
import { explainEstimateEndpoint } from './endpoints/explainEstimate.ts';
import {
  listMergesEndpoint,
  previewDeliveryGroupingEndpoint,
  previewGroupingEndpoint,
} from './endpoints/groupingPreviews.ts';
import { askForHelpEndpoint, endHelpEndpoint } from './endpoints/helpCalls.ts';
import { findRecipientsEndpoint, listKnownAddressesEndpoint } from './endpoints/knownAddresses.ts';
import { watchEventsEndpoint } from './endpoints/live.ts';
import { manyStepEndpoints } from './endpoints/manySteps.ts';
import {
  dismissDeliveryEndpoint,
  listNotAttendedEndpoint,
  orderAgainEndpoint,
} from './endpoints/notAttended.ts';
import { getSummaryEndpoint, listOpenDeliveriesEndpoint, listOptionsEndpoint } from './endpoints/overview.ts';
import { pixTopUpEndpoints } from './endpoints/pixTopUps.ts';
import { planEndpoints } from './endpoints/plans.ts';
import { proofEndpoints } from './endpoints/proof.ts';
import { subscribePushEndpoint, unsubscribePushEndpoint } from './endpoints/push.ts';
import { readStatementEndpoint } from './endpoints/readStatement.ts';
import {
  listCandidatesEndpoint,
  previewReassignmentEndpoint,
  reassignDeliveryEndpoint,
} from './endpoints/reassign.ts';
import { reportEndpoints } from './endpoints/reports.ts';
import { requestEndpoints } from './endpoints/requests.ts';
import { drawRouteEndpoint, getDeliveryRouteEndpoint } from './endpoints/roads.ts';
import { sandboxEndpoints } from './endpoints/sandbox.ts';
import {
  cancelScheduledEndpoint,
  getScheduledEndpoint,
  listScheduledEndpoint,
  retryDispatchEndpoint,
} from './endpoints/scheduledOperations.ts';
import { searchEndpoint } from './endpoints/search.ts';
import { concludeStopEndpoint } from './endpoints/stopConclusion.ts';
import { editStopsEndpoint, previewStopsEditEndpoint } from './endpoints/stopEdits.ts';
import {
  failStopEndpoint,
  listFailuresEndpoint,
  redeliverStopEndpoint,
  reopenStopEndpoint,
  resolveFailureEndpoint,
} from './endpoints/stopFailures.ts';
import { deliveryListEndpoints } from './lists/deliveryLists.ts';
import { ledgerListEndpoints } from './lists/ledgerLists.ts';
import { registerListEndpoints } from './lists/registerLists.ts';
import { savedViewEndpoints } from './lists/savedViews.ts';
import { scheduledListEndpoints } from './lists/scheduledLists.ts';
import { keyEndpoints, userEndpoints } from './registers/access.ts';
import { areaEndpoints } from './registers/areaRegister.ts';
import { companyAddressEndpoints } from './registers/companyAddresses.ts';
import { companyEndpoints } from './registers/companyRegister.ts';
import { couponEndpoints } from './registers/couponRegister.ts';
import { driverCalendarEndpoints } from './registers/driverCalendar.ts';
import { driverEndpoints } from './registers/driverRegister.ts';
import { programEndpoints } from './registers/programRegister.ts';
import { reasonEndpoints, settingsEndpoints } from './registers/settingsRegister.ts';
import { categoryEndpoints, tariffEndpoints } from './registers/tariffRegister.ts';

export const OPERATION_BASE = '/api/v2/operacao';

/** The operator's and driver's side. */
const operationEndpoints: readonly Endpoint[] = [
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
  ...driverCalendarEndpoints,
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
  checkAddressEndpoint,
  ...correctionEndpoints,
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
  ...manyStepEndpoints,
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
  ...programEndpoints,
  ...sandboxEndpoints,
  ...requestEndpoints,
  ...planEndpoints,
];

export const operationApi: Api = {
  title: 'Operação',
  base: OPERATION_BASE,
  endpoints: operationEndpoints,
  kindInErrors: true,
};
