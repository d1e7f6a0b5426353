import Type from 'typebox';
import type { RefusalKind } from '../../kernel/refusal.ts';

/** Repeated ids count once, so a list may be longer than what fits a group. */
const IDS_MAX = 1_000;

const idList = (description: string, minItems: number) =>
  Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
    minItems,
    maxItems: IDS_MAX,
    description,
  });

export const groupedScheduled = idList('entregas programadas a agrupar', 1);
export const groupedDeliveries = idList('entregas em andamento a agrupar', 1);
export const alsoGroupedScheduled = Type.Optional(idList('entregas programadas a agrupar', 0));
export const alsoGroupedDeliveries = Type.Optional(idList('entregas em andamento a agrupar também', 0));

/** Contract 7.2 for requests that await dispatch. */
const ofScheduled: readonly RefusalKind[] = [
  'scheduled-not-found',
  'merge-in-progress',
  'grouped-automatically',
  'not-awaiting-dispatch',
  'too-close-to-dispatch',
];

/** And for deliveries in progress. */
const ofDeliveries: readonly RefusalKind[] = ['delivery-not-found', 'not-in-progress'];

/** Of every grouping. */
const ofAll: readonly RefusalKind[] = [
  'grouping-in-progress',
  'too-few-orders',
  'different-companies',
  'different-pickups',
  'too-many-stops',
  'estimate-impossible',
  'insufficient-balance',
  'not-saved',
];

export const scheduledGroupingRefusals = [...ofScheduled, ...ofAll];
export const deliveryGroupingRefusals = [...ofDeliveries, ...ofAll];
export const mixedGroupingRefusals = [...ofScheduled, ...ofDeliveries, ...ofAll];
