import type { Scope } from '../../centrals/caller.ts';
import type { Status } from '../../deliveries/deliveries/status.ts';
import type { Situation } from '../../platform/kernel/states.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';

// Reads what the search shows of each match. Records outside the caller's scope are not read.

interface FoundRequest {
  id: number;
  requestedAt: Temporal.Instant;
  /** The company, or the person who ordered. */
  customerName: string;
  companyId: number | null;
  groupedInto: number | null;
  stops: readonly FoundStop[];
}

export interface FoundStop {
  recipientName: string | null;
  address: string;
  district: string;
  orderNumber: string | null;
}

export interface FoundDelivery extends FoundRequest {
  status: Status;
  driverName: string | null;
}

export interface FoundScheduled extends FoundRequest {
  situation: Situation;
  dispatchAt: Temporal.Instant;
  deliveryId: number | null;
}

/** The columns of both. The stops have the same order as the words of the index entry (documentStore.ts). */
const request = (centralId: number, stops: Sql): Sql => sql`
  r.id, r.requested_at, customer.name as customer_name, r.company_id, r.grouped_into, (
    select coalesce(jsonb_agg(jsonb_build_object('recipientName', s.recipient_name, 'address', s.address,
      'district', s.district, 'orderNumber', s.order_number) order by s.position), '[]')
    from ${stops} s where s.central_id = ${centralId} and s.ordered_with = r.id) as stops`;
const isFound = (companyId: number | null, ids: readonly number[]): Sql =>
  sql`r.id = any(${ids}::bigint[]) and (${companyId}::bigint is null or r.company_id = ${companyId})`;

export const findDeliveries = (
  tx: Tx,
  { centralId, companyId }: Scope,
  ids: readonly number[],
): Promise<FoundDelivery[]> =>
  tx.rows<FoundDelivery>`
    select ${request(centralId, sql`stops`)}, r.status, driver.name as driver_name
    from deliveries r
    join customers customer on customer.central_id = ${centralId} and customer.id = r.customer_id
    left join drivers driver on driver.central_id = ${centralId} and driver.id = r.driver_id
    where r.central_id = ${centralId} and ${isFound(companyId, ids)}`;

export const findScheduled = (
  tx: Tx,
  { centralId, companyId }: Scope,
  ids: readonly number[],
): Promise<FoundScheduled[]> =>
  tx.rows<FoundScheduled>`
    select ${request(centralId, sql`scheduled_stops`)}, r.situation, r.dispatch_at, r.delivery_id
    from scheduled r
    join customers customer on customer.central_id = ${centralId} and customer.id = r.customer_id
    where r.central_id = ${centralId} and ${isFound(companyId, ids)}`;

/** The scheduled deliveries among `ids` that have not become deliveries, in the order of `ids`. */
export async function listUndispatched(tx: Tx, centralId: number, ids: readonly number[]): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>`
    select id from scheduled
    where central_id = ${centralId} and id = any(${ids}::bigint[]) and situation <> 'dispatched'`;
  const kept = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => kept.has(id));
}

export interface FoundCompany {
  id: number;
  name: string;
  isActive: boolean;
}

export const findCompanies = (tx: Tx, centralId: number, ids: readonly number[]): Promise<FoundCompany[]> =>
  tx.rows<FoundCompany>`
    select id, name, active as is_active from companies
    where central_id = ${centralId} and id = any(${ids}::bigint[])`;

export interface FoundDriver {
  id: number;
  name: string;
  plate: string;
  vehicle: string;
  isActive: boolean;
  isAvailable: boolean;
}

export const findDrivers = (tx: Tx, centralId: number, ids: readonly number[]): Promise<FoundDriver[]> =>
  tx.rows<FoundDriver>`
    select id, name, plate, vehicle, active as is_active, available as is_available from drivers
    where central_id = ${centralId} and id = any(${ids}::bigint[])`;

export interface FoundCustomer {
  id: number;
  name: string;
  phone: string | null;
  /** The last delivery that the person ordered. */
  lastDeliveryId: number | null;
}

/** Reads a person's last delivery by the index of deliveries without a company, where a person has few. */
export const findCustomers = (tx: Tx, centralId: number, ids: readonly number[]): Promise<FoundCustomer[]> =>
  tx.rows<FoundCustomer>`
    select c.id, c.name, c.phone, (
      select max(d.id) from deliveries d
      where d.central_id = ${centralId} and d.company_id is null and d.customer_id = c.id) as last_delivery_id
    from customers c where c.central_id = ${centralId} and c.id = any(${ids}::bigint[]) and c.company_id is null`;
