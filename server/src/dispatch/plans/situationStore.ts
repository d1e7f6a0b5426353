import { settingsDefaults } from '../../centrals/central.ts';
import type { Status } from '../../deliveries/deliveries/status.ts';
import { DEMANDED, type DemandedRow, withDemands } from '../../deliveries/orders/demandStore.ts';
import type { Demands } from '../../deliveries/orders/demands.ts';
import type { Profile } from '../../geo/routing/router.ts';
import type { Capacity } from '../../platform/kernel/load.ts';
import type { Position } from '../../platform/kernel/position.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';
import type { DriverCalendar } from '../../registers/drivers/calendar.ts';
import { capacityJson } from '../../registers/drivers/capacityStore.ts';

/** A delivery that a plan may give to a driver. */
export interface PlannableOrder {
  id: number;
  status: Status;
  isGrouped: boolean;
  companyId: number | null;
  categoryId: number;
  profile: Profile;
  driverId: number | null;
  hasArrived: boolean;
  returning: boolean;
  pickup: Position;
  /** Null: nothing was promised. */
  promisedAt: Temporal.Instant | null;
  waitingSince: Temporal.Instant;
  /** Open stops in their order. */
  stops: readonly (Position & { id: number })[];
  /** Drivers who refused it. */
  refusedBy: readonly number[];
  /** … and those who let an offer of it expire. */
  ignoredBy: readonly number[];
  /** Changes with everything that a plan depends on. */
  mark: string;
}

const orders = (centralId: number): Sql => sql`
  select d.id, d.status, d.grouped_into is not null as is_grouped, d.company_id, d.category_id, category.profile,
    d.driver_id, d.arrived_at is not null as has_arrived, d.has_return as returning,
    json_build_object('lat', d.pickup_lat, 'lng', d.pickup_lng) as pickup, d.promised_at,
    coalesce(d.search_since, d.requested_at) as waiting_since, stop.list as stops,
    array(select distinct o.driver_id from offers o
      where o.central_id = ${centralId} and o.delivery_id = d.id and o.state = 'refused') as refused_by,
    array(select distinct o.driver_id from offers o
      where o.central_id = ${centralId} and o.delivery_id = d.id and o.state = 'expired') as ignored_by,
    md5(json_build_array(d.pickup_lat, d.pickup_lng, d.category_id, d.company_id, d.has_return, d.promised_at,
      stop.marked)::text) as mark
  from deliveries d
  join categories category on category.central_id = ${centralId} and category.id = d.category_id
  cross join lateral (
    select coalesce(json_agg(json_build_object('id', s.id, 'lat', s.lat, 'lng', s.lng) order by s.position, s.id)
        filter (where s.concluded_at is null), '[]') as list,
      json_agg(json_build_array(s.id, s.lat, s.lng, to_jsonb(demanded)) order by s.position, s.id)
        filter (where s.concluded_at is null) as marked
    from stops s
    left join stop_demands demanded on demanded.central_id = ${centralId} and demanded.stop_id = s.id
    where s.central_id = ${centralId} and s.delivery_id = d.id) stop
  where d.central_id = ${centralId}`;

/** Whether nobody has accepted it since then. Whom an operator or a plan has asked is left in peace. */
const isLeftSince = (before: Temporal.Instant | null): Sql => sql`(
  not (d.status = 'offered' and d.driver_specified) and coalesce(d.search_since, d.requested_at) <= ${before})`;

/** Open deliveries without a driver, those promised first first. */
export const listWithoutDriver = (
  tx: Tx,
  centralId: number,
  { waitingBefore = null, limit }: { waitingBefore?: Temporal.Instant | null; limit: number },
): Promise<PlannableOrder[]> =>
  tx.rows<PlannableOrder>`
    ${orders(centralId)} and d.status in ('distributing', 'pending', 'offered') and d.grouped_into is null
      and (${waitingBefore}::timestamptz is null or ${isLeftSince(waitingBefore)})
    order by coalesce(d.promised_at, d.requested_at), d.id limit ${limit}`;

export async function hasWaitingSince(tx: Tx, centralId: number, before: Temporal.Instant): Promise<boolean> {
  const row = await tx.row`
    select d.id from deliveries d
    where d.central_id = ${centralId} and d.status in ('distributing', 'pending', 'offered')
      and d.grouped_into is null and ${isLeftSince(before)} limit 1`;
  return row !== undefined;
}

/** Active centrals with continuous planning in which a delivery has waited as long as they have set. */
export async function findCentralsToPlan(tx: Tx, now: Temporal.Instant): Promise<number[]> {
  const rows = await tx.rows<{ centralId: number }>`
    select distinct d.central_id from deliveries d join centrals c on c.id = d.central_id
    where d.status in ('distributing', 'pending', 'offered') and d.grouped_into is null
      and c.active and c.settings ->> 'planning' in ('suggest', 'apply')
      and ${isLeftSince(now)} and coalesce(d.search_since, d.requested_at) <= ${now}::timestamptz
        - make_interval(secs => coalesce((c.settings ->> 'planAfterSeconds')::integer, ${settingsDefaults.planAfterSeconds}))`;
  return rows.map((row) => row.centralId);
}

export const findOrders = (tx: Tx, centralId: number, ids: readonly number[]): Promise<PlannableOrder[]> =>
  tx.rows<PlannableOrder>`${orders(centralId)} and d.id = any(${ids}::bigint[]) order by d.id`;

/** What the stops demand, by stop; those that demand nothing are left out. */
export async function findDemands(
  tx: Tx,
  centralId: number,
  stopIds: readonly number[],
): Promise<Map<number, Demands>> {
  const rows = await tx.rows<DemandedRow & { stopId: number }>`
    select demanded.stop_id, ${DEMANDED} from stop_demands demanded
    where demanded.central_id = ${centralId} and demanded.stop_id = any(${stopIds}::bigint[])`;
  return new Map(
    rows.flatMap((row) => {
      const { stopId, demands } = withDemands(row);
      return demands ? [[stopId, demands] as const] : [];
    }),
  );
}

/** What vehicles of each category carry, where it is known. */
export async function findCategoryCapacities(tx: Tx, centralId: number): Promise<Map<number, Capacity>> {
  const rows = await tx.rows<{ categoryId: number; capacity: Capacity }>`
    select c.category_id, ${capacityJson('c')} as capacity from category_capacities c
    where c.central_id = ${centralId}`;
  return new Map(rows.map(({ categoryId, capacity }) => [categoryId, capacity]));
}

/** When what drivers carry was promised, by delivery. */
export async function findPromises(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
): Promise<Map<number, Temporal.Instant | null>> {
  const rows = await tx.rows<{ id: number; promisedAt: Temporal.Instant | null }>`
    select id, promised_at from deliveries where central_id = ${centralId} and id = any(${ids}::bigint[])`;
  return new Map(rows.map(({ id, promisedAt }) => [id, promisedAt]));
}

export interface PlannableDriver {
  id: number;
  active: boolean;
  available: boolean;
  /** Whether an offer awaits the driver's answer. */
  isAsked: boolean;
  position: Position | null;
  categoryIds: readonly number[];
  /** None means all. */
  companyIds: readonly number[];
  /** Of the driver's own vehicle; null: as its category. */
  capacity: Capacity | null;
  /** Null: no shifts are kept. */
  calendar: DriverCalendar | null;
}

const drivers = (centralId: number): Sql => sql`
  select driver.id, driver.active, driver.available, exists (select from offers o
      where o.central_id = ${centralId} and o.driver_id = driver.id and o.state = 'open') as is_asked,
    case when p.driver_id is not null then json_build_object('lat', p.lat, 'lng', p.lng) end as position,
    array(select category_id from driver_categories c
      where c.central_id = ${centralId} and c.driver_id = driver.id) as category_ids,
    array(select b.company_id from driver_companies b
      where b.central_id = ${centralId} and b.driver_id = driver.id) as company_ids,
    ${capacityJson('capacity')} as capacity,
    case when calendar.driver_id is not null then json_build_object('week', calendar.week, 'days', calendar.days) end
      as calendar
  from drivers driver
  left join driver_positions p on p.central_id = ${centralId} and p.driver_id = driver.id
  left join driver_capacities capacity on capacity.central_id = ${centralId} and capacity.driver_id = driver.id
  left join driver_calendars calendar on calendar.central_id = ${centralId} and calendar.driver_id = driver.id
  where driver.central_id = ${centralId}`;

/** Drivers on duty who were seen recently. */
export const listOnDuty = (
  tx: Tx,
  centralId: number,
  seenSince: Temporal.Instant,
  limit: number,
): Promise<PlannableDriver[]> =>
  tx.rows<PlannableDriver>`
    ${drivers(centralId)} and driver.active and driver.available and p.at >= ${seenSince}
    order by driver.id limit ${limit}`;

export const findDrivers = (tx: Tx, centralId: number, ids: readonly number[]): Promise<PlannableDriver[]> =>
  tx.rows<PlannableDriver>`${drivers(centralId)} and driver.id = any(${ids}::bigint[]) order by driver.id`;
