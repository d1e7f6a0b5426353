import type { LocatedRow } from '../../platform/kernel/postalAddress.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { raw, sql } from '../../platform/postgres/sql.ts';
import type { KnownAddress } from './companyAddress.ts';

/*
 * Addresses of a company's earlier orders, read from the requests themselves. Nothing is stored for this purpose, so a
 * creation writes nothing more, and data that privacy requests and the retention remove from stops is not found here
 * any more. Each look-up reads a bounded number of rows through an index, however long the history is.
 */

interface KnownRow extends LocatedRow {
  recipientName: string | null;
  recipientPhone: string | null;
}

const toKnown = ({ lat, lng, recipientName, recipientPhone, ...row }: KnownRow): KnownAddress => ({
  ...row,
  position: { lat, lng },
  recipientName,
  recipientPhone,
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
const FOUND = raw(COLUMNS.join(', '));
const STOP = raw(COLUMNS.map((column) => `stop.${column}`).join(', '));

/** How many of a company's latest orders are examined. */
const LATEST_ORDERS = raw('limit 30');
/** How many of a phone's latest stops are examined, of all companies of the central. */
const LATEST_STOPS = raw('limit 200');

/** Excludes stops with erased recipients, which keep only the street and an approximate position. */
const IS_WHOLE = sql`not (stop.recipient_name is null and stop.recipient_phone is null
      and stop.lat = rough_degree(stop.lat) and stop.lng = rough_degree(stop.lng))`;

/** The destinations of a company's latest orders, each once, the latest first. */
export async function findRecentAddresses(
  tx: Tx,
  centralId: number,
  companyId: number,
  limit: number,
): Promise<KnownAddress[]> {
  const rows = await tx.rows<KnownRow & { at: Temporal.Instant }>`
    select at, ${FOUND} from (
      select d.requested_at as at, stop.id, ${STOP}
      from (select id, requested_at from deliveries
        where central_id = ${centralId} and company_id = ${companyId} and personal_data_removed_at is null
        order by requested_at desc, id desc ${LATEST_ORDERS}) d
      join stops stop on stop.central_id = ${centralId} and stop.ordered_with = d.id and ${IS_WHOLE}
      union all
      select s.requested_at, stop.id, ${STOP}
      from (select id, requested_at from scheduled
        where central_id = ${centralId} and company_id = ${companyId} and personal_data_removed_at is null
        order by requested_at desc, id desc ${LATEST_ORDERS}) s
      join scheduled_stops stop
        on stop.central_id = ${centralId} and stop.ordered_with = s.id and ${IS_WHOLE}) found
    order by at desc, id desc`;
  return distinct(rows, limit);
}

/** The places where a company delivered to this phone (digits only), the latest first. */
export async function findAddressesOfPhone(
  tx: Tx,
  centralId: number,
  companyId: number,
  phone: string,
  limit: number,
): Promise<KnownAddress[]> {
  const rows = await tx.rows<KnownRow & { at: Temporal.Instant }>`
    select at, ${FOUND} from (
      select d.requested_at as at, stop.id, ${STOP}
      from (select * from stops where central_id = ${centralId} and recipient_phone is not null
        and phone_digits(recipient_phone) = ${phone} order by id desc ${LATEST_STOPS}) stop
      join deliveries d
        on d.central_id = ${centralId} and d.id = stop.ordered_with and d.company_id = ${companyId}
      union all
      select s.requested_at, stop.id, ${STOP}
      from (select * from scheduled_stops where central_id = ${centralId} and recipient_phone is not null
        and phone_digits(recipient_phone) = ${phone} order by id desc ${LATEST_STOPS}) stop
      join scheduled s
        on s.central_id = ${centralId} and s.id = stop.ordered_with and s.company_id = ${companyId}) found
    order by at desc, id desc`;
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
