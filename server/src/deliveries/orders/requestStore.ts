import type { Precision } from '../../geo/geocoding/geocoder.ts';
import type { Estimate } from '../../money/pricing/estimateTrip.ts';
import type { LocatedRow } from '../../platform/kernel/postalAddress.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { changes, type Sql, sql } from '../../platform/postgres/sql.ts';
import { upsertPerson } from '../../registers/companies/companyStore.ts';
import type { Address, ExternalKey, Located, PlannedPrice, PreparedOrder, RequestCore } from './request.ts';

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

interface PlaceRow extends LocatedRow {
  locatedBy: string | null;
  locatedPrecision: Precision | null;
  toCheck: boolean;
}

/** A request or a stop as its row: the columns of a place instead of the place. */
export type RowOfStop<Stop extends Address> = Omit<Stop, keyof Address> & PlaceRow;
type PickupRow = { [Column in keyof PlaceRow as `pickup${Capitalize<Column>}`]: PlaceRow[Column] };
export type RowOfRequest<Request extends RequestCore> = Omit<Request, 'pickup'> & PickupRow;

const toLocated = (by: string | null, precision: Precision | null, toCheck: boolean): Located | null =>
  by !== null && precision !== null ? { by, precision, toCheck } : null;

/** The fields of a stop's row, with the place instead of its columns. */
export function withPlace<Row extends PlaceRow>({
  lat,
  lng,
  locatedBy,
  locatedPrecision,
  toCheck,
  ...row
}: Row) {
  return { ...row, position: { lat, lng }, located: toLocated(locatedBy, locatedPrecision, toCheck) };
}

/** The fields of a request's row, with the pickup instead of its columns. */
export function withPickup<Row extends PickupRow>({
  pickupAddress,
  pickupComplement,
  pickupReference,
  pickupDistrict,
  pickupCity,
  pickupState,
  pickupLat,
  pickupLng,
  pickupLocatedBy,
  pickupLocatedPrecision,
  pickupToCheck,
  ...row
}: Row) {
  const pickup: Address = {
    address: pickupAddress,
    complement: pickupComplement,
    reference: pickupReference,
    district: pickupDistrict,
    city: pickupCity,
    state: pickupState,
    position: { lat: pickupLat, lng: pickupLng },
    located: toLocated(pickupLocatedBy, pickupLocatedPrecision, pickupToCheck),
  };
  return { ...row, pickup };
}

const PICKUP = PLACE_COLUMNS.map((column) => `pickup_${column}`);
const PLAN = ['tariff_id', 'planned_metres', 'planned_seconds', 'gross_cents', 'net_cents'];
/** The columns of an order, apart from who ordered it. */
const ORDERED = ['category_id', 'payment', 'has_return', 'note', 'coupon_id', 'discount_percent'];

/** All columns that are stored with a new request. */
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

/** The columns of an order with their types, for rows that are given as JSON. */
export const TYPED_ORDER_COLUMNS = ORDER_COLUMNS.map(
  (column) => `${column} ${ORDER_TYPES[column] ?? 'text'}`,
).join(', ');

/** The columns of a `RowOfRequest`. */
export const requestColumns = (...more: readonly string[]): string =>
  ['id', ...ORDER_COLUMNS, 'separate_metres', 'requested_at', 'grouped_into', 'version', ...more]
    .join(', ')
    .replace('has_return', 'has_return as returning');

const pickupRow = ({ position, located, ...pickup }: Address) => ({
  pickup_address: pickup.address,
  pickup_complement: pickup.complement,
  pickup_reference: pickup.reference,
  pickup_district: pickup.district,
  pickup_city: pickup.city,
  pickup_state: pickup.state,
  pickup_lat: position.lat,
  pickup_lng: position.lng,
  pickup_located_by: located?.by ?? null,
  pickup_located_precision: located?.precision ?? null,
  pickup_to_check: located?.toCheck ?? false,
});

const planRow = ({ tariff, metres, seconds, grossCents, netCents }: PlannedPrice) => ({
  tariff_id: tariff.id,
  planned_metres: metres,
  planned_seconds: seconds,
  gross_cents: grossCents,
  net_cents: netCents,
});

/** The values of `ORDER_COLUMNS`. */
export const orderRow = (
  { order, companyId, category, couponId, discountPercent, estimate }: PreparedOrder,
  customerId: number,
) => ({
  company_id: companyId,
  customer_id: customerId,
  category_id: category.id,
  payment: order.payment,
  has_return: order.returning,
  note: order.note,
  coupon_id: couponId,
  discount_percent: discountPercent,
  ...pickupRow(order.pickup),
  ...planRow(estimate),
});

/** The columns of an order's own key in a row as JSON: bytes in the form in which PostgreSQL reads them. */
export const externalJson = (external: ExternalKey | undefined) =>
  external ? { external_id: external.id, external_content: `\\x${external.content.toString('hex')}` } : {};

/** The columns of an order's own key, for an order that has one. */
export const externalRow = (external: ExternalKey | undefined) =>
  external ? { external_id: external.id, external_content: external.content } : {};

/**
 * `separateMetres` is given if requests joined or left this one. Without it the saving of the grouping stays the same:
 * an edit changes the joint route and the separate ones by the same length.
 */
export const planChanges = (estimate: Estimate, separateMetres?: number | null): Sql =>
  separateMetres === undefined
    ? sql`${changes(planRow(estimate))}, ${separateAfterEdit(estimate)}`
    : changes({ ...planRow(estimate), separate_metres: separateMetres });

/** The separate routes after an edit that keeps all members of the group. */
const separateAfterEdit = ({ metres }: PlannedPrice): Sql =>
  sql`separate_metres = separate_metres + ${metres} - planned_metres`;

export const pickupAndPlanChanges = (pickup: Address, estimate: Estimate): Sql =>
  sql`${changes(pickupRow(pickup))}, ${changes(planRow(estimate))}, ${separateAfterEdit(estimate)}`;

/** Everything of an order, and the digest of its own key if it was edited by that. */
export const orderChanges = (prepared: PreparedOrder, customerId: number): Sql =>
  sql`${changes({
    ...orderRow(prepared, customerId),
    ...(prepared.order.external && { external_content: prepared.order.external.content }),
  })}, ${separateAfterEdit(prepared.estimate)}`;

/**
 * SQL for the separate route of a row that is grouped into another one, without those of `parts`, the rows grouped into
 * it. These follow it into the new group and count there separately, also after it has left.
 */
export const separateOfItself = (row: Sql, parts: Sql): Sql => sql`${row}.separate_metres - least(
  ${row}.separate_metres, (
    select coalesce(sum(coalesce(part.separate_metres, part.planned_metres)), 0) from ${parts}))`;

/** Removes data that identifies a person from a request. Money, times, districts and figures stay. */
export const PERSONAL_DATA_REMOVED = sql`note = null, pickup_address = without_door(pickup_address),
  pickup_complement = null, pickup_reference = null, pickup_lat = rough_degree(pickup_lat),
  pickup_lng = rough_degree(pickup_lng), external_content = null`;

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
