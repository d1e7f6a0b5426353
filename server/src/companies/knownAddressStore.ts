import type { LocatedRow } from '../kernel/postalAddress.ts';
import type { Tx } from '../postgres/database.ts';
import type { KnownAddress } from './companyAddress.ts';

/*
 * Addresses of a company's earlier orders, read from the requests themselves. Nothing is stored for this purpose, so
 * data that privacy requests and the retention remove from stops is not found here any more. Each look-up reads a
 * bounded number of rows through an index, however long the history is.
 */

interface KnownRow extends LocatedRow {
  recipient_name: string | null;
  recipient_phone: string | null;
}

const toKnown = ({ lat, lng, recipient_name, recipient_phone, ...row }: KnownRow): KnownAddress => ({
  ...row,
  position: { lat, lng },
  recipientName: recipient_name,
  recipientPhone: recipient_phone,
});

const COLUMNS = [
  'address',
  'complement',
  'reference',
  'district',
  'city',
  'state',
  'lat',
  'lng',
  'recipient_name',
  'recipient_phone',
];
const STOP = COLUMNS.map((column) => `stop.${column}`).join(', ');

/** How many of a company's latest orders are examined. */
const ORDERS_MAX = 30;
/** How many of a phone's latest stops are examined, of all companies of the central. */
const STOPS_MAX = 200;

/** Excludes stops with erased recipients, which keep only the street and an approximate position. */
const IS_WHOLE = `not (stop.recipient_name is null and stop.recipient_phone is null
      and stop.lat = rough_degree(stop.lat) and stop.lng = rough_degree(stop.lng))`;

const RECENT = `
  select * from (
    select d.requested_at as at, ${STOP}
    from (select id, requested_at from deliveries
      where central_id = $1 and company_id = $2 and personal_data_removed_at is null
      order by requested_at desc, id desc limit ${ORDERS_MAX}) d
    join stops stop on stop.central_id = $1 and stop.ordered_with = d.id and ${IS_WHOLE}
    union all
    select s.requested_at, ${STOP}
    from (select id, requested_at from scheduled
      where central_id = $1 and company_id = $2 and personal_data_removed_at is null
      order by requested_at desc, id desc limit ${ORDERS_MAX}) s
    join scheduled_stops stop on stop.central_id = $1 and stop.ordered_with = s.id and ${IS_WHOLE}) found
  order by at desc`;

/** The destinations of a company's latest orders, each once, the latest first. */
export async function findRecentAddresses(
  tx: Tx,
  centralId: number,
  companyId: number,
  limit: number,
): Promise<KnownAddress[]> {
  const rows = await tx.run<KnownRow & { at: Temporal.Instant }>(RECENT, [centralId, companyId]);
  return distinct(rows, limit);
}

const OF_PHONE = `
  select * from (
    select d.requested_at as at, ${STOP}
    from (select * from stops where central_id = $1 and recipient_phone is not null
      and phone_digits(recipient_phone) = $3 order by id desc limit ${STOPS_MAX}) stop
    join deliveries d on d.central_id = $1 and d.id = stop.ordered_with and d.company_id = $2
    union all
    select s.requested_at, ${STOP}
    from (select * from scheduled_stops where central_id = $1 and recipient_phone is not null
      and phone_digits(recipient_phone) = $3 order by id desc limit ${STOPS_MAX}) stop
    join scheduled s on s.central_id = $1 and s.id = stop.ordered_with and s.company_id = $2) found
  order by at desc`;

/** The places where a company delivered to this phone (digits only), the latest first. */
export async function findAddressesOfPhone(
  tx: Tx,
  centralId: number,
  companyId: number,
  phone: string,
  limit: number,
): Promise<KnownAddress[]> {
  const rows = await tx.run<KnownRow & { at: Temporal.Instant }>(OF_PHONE, [centralId, companyId, phone]);
  return distinct(rows, limit);
}

function distinct(rows: readonly (KnownRow & { at: Temporal.Instant })[], limit: number): KnownAddress[] {
  const found = new Map<string, KnownAddress>();
  for (const { at: _, ...row } of rows) {
    const key = [row.address, row.complement ?? '', row.city].join('|').toLowerCase();
    if (!found.has(key)) found.set(key, toKnown(row));
    if (found.size === limit) break;
  }
  return [...found.values()];
}
