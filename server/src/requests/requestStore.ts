import { upsertPerson } from '../companies/companyStore.ts';
import type { Estimate } from '../estimates/estimateTrip.ts';
import type { Precision } from '../geocoding/geocoder.ts';
import type { LocatedRow } from '../kernel/postalAddress.ts';
import type { Tx } from '../postgres/database.ts';
import type { Address, Located, Payment, PreparedOrder, RequestCore } from './request.ts';

// The columns that the tables deliveries and scheduled share: their names, their rows, and the stored values.

/** The columns of a place: in stops with these names, in requests as the pickup with a prefix. */
export const PLACE_COLUMNS = [
  'address',
  'complement',
  'reference',
  'district',
  'city',
  'state',
  'lat',
  'lng',
  'located_by',
  'located_precision',
  'to_check',
] as const;

export interface PlaceRow extends LocatedRow {
  located_by: string | null;
  located_precision: Precision | null;
  to_check: boolean;
}

type PickupRow = { [Column in keyof PlaceRow as `pickup_${Column}`]: PlaceRow[Column] };

const toLocated = (by: string | null, precision: Precision | null, toCheck: boolean): Located | null =>
  by !== null && precision !== null ? { by, precision, toCheck } : null;

export const toPlace = ({ lat, lng, ...row }: PlaceRow): Address => ({
  address: row.address,
  complement: row.complement,
  reference: row.reference,
  district: row.district,
  city: row.city,
  state: row.state,
  position: { lat, lng },
  located: toLocated(row.located_by, row.located_precision, row.to_check),
});

const toPickup = (row: PickupRow): Address => ({
  address: row.pickup_address,
  complement: row.pickup_complement,
  reference: row.pickup_reference,
  district: row.pickup_district,
  city: row.pickup_city,
  state: row.pickup_state,
  position: { lat: row.pickup_lat, lng: row.pickup_lng },
  located: toLocated(row.pickup_located_by, row.pickup_located_precision, row.pickup_to_check),
});

const PICKUP = PLACE_COLUMNS.map((column) => `pickup_${column}`);
const PLAN = ['tariff_id', 'planned_metres', 'planned_seconds', 'gross_cents', 'net_cents'];
/** The columns of an order, apart from who ordered it. */
const ORDERED = ['category_id', 'payment', 'has_return', 'note', 'coupon_id', 'discount_percent'];

/** All columns that are stored with a new request, in the order of `orderValues`. */
export const ORDER_COLUMNS: readonly string[] = ['company_id', 'customer_id', ...ORDERED, ...PICKUP, ...PLAN];

const ORDER_TYPES: Readonly<Record<string, string>> = {
  company_id: 'bigint',
  customer_id: 'bigint',
  category_id: 'bigint',
  has_return: 'boolean',
  coupon_id: 'bigint',
  discount_percent: 'numeric',
  pickup_lat: 'double precision',
  pickup_lng: 'double precision',
  pickup_to_check: 'boolean',
  tariff_id: 'bigint',
  planned_metres: 'integer',
  planned_seconds: 'integer',
  gross_cents: 'bigint',
  net_cents: 'bigint',
};

/** The same columns with their types, for rows that are given as JSON. */
export const TYPED_ORDER_COLUMNS = ORDER_COLUMNS.map(
  (column) => `${column} ${ORDER_TYPES[column] ?? 'text'}`,
).join(', ');

export const REQUEST_COLUMNS = [
  'id',
  ...ORDER_COLUMNS,
  'separate_metres',
  'requested_at',
  'grouped_into',
  'version',
].join(', ');

export interface RequestRow extends PickupRow {
  id: number;
  company_id: number | null;
  customer_id: number;
  category_id: number;
  tariff_id: number;
  payment: Payment;
  has_return: boolean;
  note: string | null;
  coupon_id: number | null;
  discount_percent: string;
  planned_metres: number;
  planned_seconds: number;
  separate_metres: number | null;
  gross_cents: number;
  net_cents: number;
  requested_at: Temporal.Instant;
  grouped_into: number | null;
  version: number;
}

export const toRequestCore = (row: RequestRow): RequestCore => ({
  id: row.id,
  companyId: row.company_id,
  customerId: row.customer_id,
  categoryId: row.category_id,
  tariffId: row.tariff_id,
  payment: row.payment,
  returning: row.has_return,
  note: row.note,
  couponId: row.coupon_id,
  discountPercent: row.discount_percent,
  pickup: toPickup(row),
  plannedMetres: row.planned_metres,
  plannedSeconds: row.planned_seconds,
  separateMetres: row.separate_metres,
  grossCents: row.gross_cents,
  netCents: row.net_cents,
  requestedAt: row.requested_at,
  groupedInto: row.grouped_into,
  version: row.version,
});

const pickupValues = ({ position, ...pickup }: Address): unknown[] => [
  pickup.address,
  pickup.complement,
  pickup.reference,
  pickup.district,
  pickup.city,
  pickup.state,
  position.lat,
  position.lng,
  pickup.located?.by ?? null,
  pickup.located?.precision ?? null,
  pickup.located?.toCheck ?? false,
];

const planValues = ({ tariff, metres, seconds, grossCents, netCents }: Estimate): unknown[] => [
  tariff.id,
  metres,
  seconds,
  grossCents,
  netCents,
];

export const orderValues = (
  { order, companyId, category, couponId, discountPercent, estimate }: PreparedOrder,
  customerId: number,
): unknown[] => [
  companyId,
  customerId,
  category.id,
  order.payment,
  order.returning,
  order.note,
  couponId,
  discountPercent,
  ...pickupValues(order.pickup),
  ...planValues(estimate),
];

/** The non-null values of a company's order by their columns. */
export function orderRow(prepared: PreparedOrder): Record<string, unknown> {
  const values = orderValues(prepared, prepared.customerId!);
  return Object.fromEntries(ORDER_COLUMNS.map((column, index) => [column, values[index] ?? undefined]));
}

/** `$4, $5, $6`: as many parameters as there are columns, from the given number on. */
export const parametersOf = (columns: readonly string[], from: number): string =>
  columns.map((_, index) => `$${from + index}`).join(', ');

/** `a = $4, b = $5`, for an update. */
const assignments = (columns: readonly string[], from: number): string =>
  columns.map((column, index) => `${column} = $${from + index}`).join(', ');

/** An update of shared columns; its first parameters are the ids of the central and of the row. */
interface Changes {
  text: string;
  values: unknown[];
}

export const orderChanges = (prepared: PreparedOrder, customerId: number): Changes => ({
  text: assignments(ORDER_COLUMNS, 3),
  values: orderValues(prepared, customerId),
});

/**
 * `separateMetres` is given if requests joined or left this one. Without it the saving of the grouping stays the same:
 * an edit changes the joint route and the separate ones by the same length.
 */
export const planChanges = (estimate: Estimate, separateMetres?: number | null): Changes =>
  separateMetres === undefined
    ? {
        text: `${assignments(PLAN, 3)}, ${separateAfterEdit(3 + METRES_AT)}`,
        values: planValues(estimate),
      }
    : {
        text: assignments([...PLAN, 'separate_metres'], 3),
        values: [...planValues(estimate), separateMetres],
      };

/** The separate routes after an edit that keeps all members of the group. */
const separateAfterEdit = (metresParameter: number): string =>
  `separate_metres = separate_metres + $${metresParameter} - planned_metres`;

const METRES_AT = PLAN.indexOf('planned_metres');

export const pickupAndPlanChanges = (pickup: Address, estimate: Estimate): Changes => ({
  text: `${assignments([...PICKUP, ...PLAN], 3)}, ${separateAfterEdit(3 + PICKUP.length + METRES_AT)}`,
  values: [...pickupValues(pickup), ...planValues(estimate)],
});

/**
 * SQL for the separate route of a row that is grouped into another one, without those of `parts`, the rows grouped into
 * it. These follow it into the new group and count there separately, also after it has left.
 */
export const separateOfItselfSql = (row: string, parts: string): string => `${row}.separate_metres - least(
  ${row}.separate_metres, (
    select coalesce(sum(coalesce(part.separate_metres, part.planned_metres)), 0) from ${parts}))`;

/** Removes data that identifies a person from a request. Money, times, districts and figures stay. */
export const PERSONAL_DATA_REMOVED = `note = null, pickup_address = without_door(pickup_address),
  pickup_complement = null, pickup_reference = null, pickup_lat = rough_degree(pickup_lat),
  pickup_lng = rough_degree(pickup_lng)`;

/** The customer of the request: the company itself, or the person, identified by CPF. */
export async function customerOf(
  tx: Tx,
  centralId: number,
  { order, customerId }: PreparedOrder,
): Promise<number> {
  if (customerId !== null) return customerId;
  if (!order.person) throw new Error('an order has a company or a person');
  return upsertPerson(tx, centralId, order.person);
}
