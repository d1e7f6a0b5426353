import type { Scope } from '../centrals/caller.ts';
import type { Status } from '../deliveries/status.ts';
import type { Tx } from '../postgres/database.ts';
import type { Situation } from '../scheduled/scheduled.ts';

// Reads one line for each match. Rows outside the scope are not read.

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

const REQUEST = `r.id, r.requested_at as "requestedAt", customer.name as "customerName", r.company_id as "companyId",
  r.grouped_into as "groupedInto"`;
const STOP = `jsonb_build_object('recipientName', s.recipient_name, 'address', s.address, 'district', s.district,
  'orderNumber', s.order_number)`;
const IN_SCOPE = `r.central_id = $1 and r.id = any($2::bigint[]) and ($3::bigint is null or r.company_id = $3)`;

/** Stops in the same order as those of documentStore.ts. */
export const findDeliveries = (
  tx: Tx,
  { centralId, companyId }: Scope,
  ids: readonly number[],
): Promise<FoundDelivery[]> =>
  tx.run<FoundDelivery>(
    `select ${REQUEST}, r.status, driver.name as "driverName", (
       select coalesce(jsonb_agg(${STOP} order by s.position), '[]') from stops s
       where s.central_id = $1 and s.ordered_with = r.id) as stops
     from deliveries r
     join customers customer on customer.central_id = $1 and customer.id = r.customer_id
     left join drivers driver on driver.central_id = $1 and driver.id = r.driver_id
     where ${IN_SCOPE}`,
    [centralId, ids, companyId],
  );

export const findScheduled = (
  tx: Tx,
  { centralId, companyId }: Scope,
  ids: readonly number[],
): Promise<FoundScheduled[]> =>
  tx.run<FoundScheduled>(
    `select ${REQUEST}, r.situation, r.dispatch_at as "dispatchAt", r.delivery_id as "deliveryId", (
       select coalesce(jsonb_agg(${STOP} order by s.position), '[]') from scheduled_stops s
       where s.central_id = $1 and s.ordered_with = r.id) as stops
     from scheduled r
     join customers customer on customer.central_id = $1 and customer.id = r.customer_id
     where ${IN_SCOPE}`,
    [centralId, ids, companyId],
  );

/** Those of the scheduled deliveries that have not become deliveries, in the order given. */
export async function listUndispatched(tx: Tx, centralId: number, ids: readonly number[]): Promise<number[]> {
  const rows = await tx<{ id: number }>`
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
  tx<FoundCompany>`
    select id, name, active as "isActive" from companies
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
  tx<FoundDriver>`
    select id, name, plate, vehicle, active as "isActive", available as "isAvailable" from drivers
    where central_id = ${centralId} and id = any(${ids}::bigint[])`;

export interface FoundCustomer {
  id: number;
  name: string;
  phone: string | null;
  /** The last delivery that the person ordered. */
  lastDeliveryId: number | null;
}

/** Through the index of people's deliveries: a person has few. */
export const findCustomers = (tx: Tx, centralId: number, ids: readonly number[]): Promise<FoundCustomer[]> =>
  tx<FoundCustomer>`
    select c.id, c.name, c.phone, (
      select max(d.id) from deliveries d
      where d.central_id = ${centralId} and d.company_id is null and d.customer_id = c.id) as "lastDeliveryId"
    from customers c where c.central_id = ${centralId} and c.id = any(${ids}::bigint[]) and c.company_id is null`;
