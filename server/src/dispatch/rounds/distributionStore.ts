import { SEARCH_AGAIN_SECONDS_MAX } from '../../centrals/central.ts';
import type { Stepping } from '../../deliveries/deliveries/delivery.ts';
import type { Status } from '../../deliveries/deliveries/status.ts';
import { hasDemands } from '../../deliveries/orders/demandStore.ts';
import type { Profile } from '../../geo/routing/router.ts';
import type { Capacity, Equipment, Load, NeededCapacity } from '../../platform/kernel/load.ts';
import type { Position } from '../../platform/kernel/position.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts';
import type { DriverCalendar } from '../../registers/drivers/calendar.ts';
import { capacityJson } from '../../registers/drivers/capacityStore.ts';

const IS_SEARCHING = sql`status in ('distributing', 'pending') and grouped_into is null`;

export interface SearchingCentral {
  id: number;
  /** Whether one of these deliveries is not pending yet. */
  hasNew: boolean;
  /** When the oldest of these searches began. */
  since: Temporal.Instant;
}

/** A search postponed by more than the maximum was postponed before the clock was set back, and is due. */
const isDueAt = (now: Temporal.Instant): Sql => sql`(search_again_at is null or search_again_at <= ${now}
  or search_again_at > ${now.add({ seconds: SEARCH_AGAIN_SECONDS_MAX })})`;

/** Centrals with a delivery whose search is due: a single statement for all centrals. */
export const findSearchingCentrals = (tx: Tx, now: Temporal.Instant): Promise<SearchingCentral[]> =>
  tx.rows<SearchingCentral>`
    select central_id as id, bool_or(status = 'distributing') as has_new,
      min(coalesce(search_since, requested_at)) as since
    from deliveries
    where ${IS_SEARCHING} and ${isDueAt(now)}
    group by central_id`;

/** A driver who may get an offer: available, without an open offer, and without a delivery on hold. */
const isFree = (centralId: number | Sql): Sql => sql`driver.active and driver.available
  and not exists (select from offers o
    where o.central_id = ${centralId} and o.driver_id = driver.id and o.state = 'open')
  and not exists (select from deliveries held
    where held.central_id = ${centralId} and held.driver_id = driver.id and held.status = 'on_hold')`;

/** When a free driver was last seen, in each of the centrals that has one. */
export async function findDriversLastSeen(
  tx: Tx,
  centralIds: readonly number[],
): Promise<{ centralId: number; seenAt: Temporal.Instant }[]> {
  if (centralIds.length === 0) return [];
  return tx.rows`
    select driver.central_id, max(p.at) as seen_at from drivers driver
    join driver_positions p on p.central_id = driver.central_id and p.driver_id = driver.id
    where driver.central_id = any(${centralIds}::bigint[]) and ${isFree(sql`driver.central_id`)}
    group by driver.central_id`;
}

export interface Searching {
  id: number;
  companyId: number | null;
  categoryId: number;
  profile: Profile;
  pickup: Position;
  searchSince: Temporal.Instant;
  status: 'distributing' | 'pending';
  /** Drivers who refused or did not answer. They get no further offer. */
  asked: number[];
  /** Null: it demands nothing of the vehicle. */
  demands: VehicleDemands | null;
}

/** What a delivery demands of the vehicle, and what vehicles of its category carry. */
export interface VehicleDemands {
  needed: NeededCapacity;
  ofCategory: Capacity | null;
  /** 0 is normal. */
  priority: number;
}

interface SearchingRow {
  id: number;
  companyId: number | null;
  categoryId: number;
  profile: Profile;
  pickupLat: number;
  pickupLng: number;
  searchSince: Temporal.Instant;
  status: 'distributing' | 'pending';
  asked: number[];
  demands: (Load & { equipment: Equipment[][]; priority: number; ofCategory: Capacity | null }) | null;
}

/** What the open stops of the delivery `d` demand; looked up in centrals only that have any demands. */
const demandsOf = (centralId: number): Sql => sql`
  case when ${hasDemands(centralId)} then (
    select json_build_object('weightGrams', sum(n.weight_grams), 'volumeMl', sum(n.volume_ml),
      'packages', sum(n.packages), 'priority', coalesce(max(n.priority), 0),
      'equipment', coalesce(json_agg(n.equipment) filter (where n.equipment is not null), '[]'), 'ofCategory', (
        select ${capacityJson('c')} from category_capacities c
        where c.central_id = ${centralId} and c.category_id = d.category_id))
    from stops s join stop_demands n on n.central_id = ${centralId} and n.stop_id = s.id
    where s.central_id = ${centralId} and s.delivery_id = d.id and s.concluded_at is null
    having count(*) > 0) end`;

/**
 * The deliveries that need a driver. Those due longest are chosen, so that each gets a turn even if many find no
 * driver. Returned with the longest search first.
 */
export async function findSearching(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
  statuses: readonly Searching['status'][],
  limit: number,
): Promise<Searching[]> {
  // The statuses are literals, because the partial index deliveries_searching covers certain statuses. A delivery whose
  // only event is its creation has not been offered yet.
  const literals = raw(statuses.map((status) => `'${status}'`).join(', '));
  const rows = await tx.rows<SearchingRow>`
    select d.id, d.company_id, d.category_id, category.profile, d.pickup_lat, d.pickup_lng, d.status,
      coalesce(d.search_since, d.requested_at) as search_since,
      case when d.event_sequence = 1 then '{}' else array(
        select distinct o.driver_id from offers o
        where o.central_id = ${centralId} and o.delivery_id = d.id and o.state in ('refused', 'expired')) end as asked,
      ${demandsOf(centralId)} as demands
    from deliveries d
    join categories category on category.central_id = ${centralId} and category.id = d.category_id
    where d.central_id = ${centralId} and d.status in (${literals}) and d.grouped_into is null and ${isDueAt(now)}
    order by coalesce(d.search_again_at, d.search_since, d.requested_at), d.id limit ${limit}`;
  const searching = rows.map((row) => ({
    id: row.id,
    companyId: row.companyId,
    categoryId: row.categoryId,
    profile: row.profile,
    pickup: { lat: row.pickupLat, lng: row.pickupLng },
    searchSince: row.searchSince,
    status: row.status,
    asked: row.asked,
    demands: row.demands && toDemands(row.demands),
  }));
  return searching.sort((a, b) => Temporal.Instant.compare(a.searchSince, b.searchSince) || a.id - b.id);
}

const toDemands = ({
  ofCategory,
  priority,
  equipment,
  ...load
}: NonNullable<SearchingRow['demands']>): VehicleDemands => ({
  needed: { ...load, equipment: equipment.flat() },
  ofCategory,
  priority,
});

/** A driver who could get an offer, and the place from which it would come. */
export interface FreeDriver {
  id: number;
  categoryIds: number[];
  /** The companies it works for; none means all. */
  companyIds: number[];
  /** The driver's position or, if it still carries a delivery, the end of that. */
  from: Position;
  /** The delivery it still carries, and the time left for it. */
  carrying: { deliveryId: number; companyId: number | null; secondsLeft: number } | null;
  /** What its own vehicle carries; null: as its category. */
  capacity: Capacity | null;
  /** Null: no shifts are kept. */
  calendar: DriverCalendar | null;
}

interface FreeDriverRow {
  id: number;
  categories: number[];
  companies: number[];
  lat: number;
  lng: number;
  carriedId: number | null;
  companyId: number | null;
  secondsLeft: number | null;
  endLat: number | null;
  endLng: number | null;
  capacity: Capacity | null;
  calendar: DriverCalendar | null;
}

/** Free drivers who were seen recently. Some of them carry one delivery. */
export async function findFreeDrivers(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
  seenSince: Temporal.Instant,
): Promise<FreeDriver[]> {
  const rows = await tx.rows<FreeDriverRow>`
    select driver.id, p.lat, p.lng, carried.id as carried_id, carried.company_id,
      array(select category_id from driver_categories c
        where c.central_id = ${centralId} and c.driver_id = driver.id) as categories,
      array(select b.company_id from driver_companies b
        where b.central_id = ${centralId} and b.driver_id = driver.id) as companies,
      greatest(0, carried.planned_seconds
        - extract(epoch from ${now}::timestamptz - coalesce(carried.started_at, ${now})))::integer as seconds_left,
      case when carried.has_return then carried.pickup_lat else last_stop.lat end as end_lat,
      case when carried.has_return then carried.pickup_lng else last_stop.lng end as end_lng,
      ${capacityJson('capacity')} as capacity,
      case when calendar.driver_id is not null then json_build_object('week', calendar.week, 'days', calendar.days) end
        as calendar
    from drivers driver
    join driver_positions p on p.central_id = ${centralId} and p.driver_id = driver.id and p.at >= ${seenSince}
    left join lateral (
      select d.id, d.company_id, d.planned_seconds, d.started_at, d.has_return, d.pickup_lat, d.pickup_lng
      from deliveries d
      where d.central_id = ${centralId} and d.driver_id = driver.id
        and d.status in ('accepted', 'in_progress') and d.grouped_into is null limit 1) carried on true
    left join lateral (
      select s.lat, s.lng from stops s
      where s.central_id = ${centralId} and s.delivery_id = carried.id
      order by s.position desc limit 1) last_stop on true
    left join driver_capacities capacity on capacity.central_id = ${centralId} and capacity.driver_id = driver.id
    left join driver_calendars calendar on calendar.central_id = ${centralId} and calendar.driver_id = driver.id
    where driver.central_id = ${centralId} and ${isFree(centralId)}
    order by driver.id`;
  return rows.map((row) => {
    const ends = row.endLat !== null && row.endLng !== null;
    return {
      id: row.id,
      categoryIds: row.categories,
      companyIds: row.companies,
      from:
        row.carriedId !== null && ends
          ? { lat: row.endLat!, lng: row.endLng! }
          : { lat: row.lat, lng: row.lng },
      carrying:
        row.carriedId === null
          ? null
          : { deliveryId: row.carriedId, companyId: row.companyId, secondsLeft: row.secondsLeft ?? 0 },
      capacity: row.capacity,
      calendar: row.calendar,
    };
  });
}

/** Those of the centrals in which a driver is searched for, or has not answered yet. */
export async function findUnassignedCentrals(tx: Tx, centralIds: readonly number[]): Promise<number[]> {
  const rows = await tx.rows<{ centralId: number }>`
    select distinct central_id from deliveries
    where central_id = any(${centralIds}::bigint[]) and status in ('distributing', 'pending', 'offered')`;
  return rows.map((row) => row.centralId);
}

/** A delivery and a driver that were matched. */
export interface Pairing {
  deliveryId: number;
  companyId: number | null;
  driverId: number;
  /** The delivery that the driver carried at that time. */
  carriedId: number | null;
}

/** Locks, in id order, those of the drivers who take offers and are not locked by others. */
export async function lockDriversOnDuty(
  tx: Tx,
  centralId: number,
  driverIds: readonly number[],
): Promise<Set<number>> {
  const rows = await tx.rows<{ id: number }>`
    select id from drivers
    where central_id = ${centralId} and id = any(${driverIds}::bigint[]) and active and available
    order by id for no key update skip locked`;
  return new Set(rows.map((row) => row.id));
}

/**
 * The pairings that are still valid: since the matching the driver may have got another delivery, refused this one, or
 * been bound to other companies. Certain only while the locks of the drivers are held.
 */
export async function findStillFree(
  tx: Tx,
  centralId: number,
  pairings: readonly Pairing[],
): Promise<Pairing[]> {
  const rows = await tx.rows<{ place: number }>`
    select place from unnest(${pairings.map(({ deliveryId }) => deliveryId)}::bigint[],
      ${pairings.map(({ companyId }) => companyId)}::bigint[], ${pairings.map(({ driverId }) => driverId)}::bigint[],
      ${pairings.map(({ carriedId }) => carriedId)}::bigint[])
      with ordinality as given (delivery_id, company_id, driver_id, carried_id, place)
    where not exists (select 1 from offers o
        where o.central_id = ${centralId} and o.driver_id = given.driver_id and o.state = 'open')
      and not exists (select 1 from offers o
        where o.central_id = ${centralId} and o.delivery_id = given.delivery_id and o.driver_id = given.driver_id
          and o.state in ('refused', 'expired'))
      and not exists (select 1 from deliveries d
        where d.central_id = ${centralId} and d.driver_id = given.driver_id
          and d.status in ('accepted', 'in_progress', 'on_hold') and d.grouped_into is null
          and d.id is distinct from given.carried_id)
      and (select coalesce(bool_or(b.company_id = given.company_id), count(*) = 0) from driver_companies b
        where b.central_id = ${centralId} and b.driver_id = given.driver_id)
    order by place`;
  return rows.map((row) => pairings[Number(row.place) - 1]!);
}

/** A locked delivery, with the fields that its search depends on. */
export interface LockedSearch extends Stepping {
  companyId: number | null;
  categoryId: number;
  pickup: Position;
  driverSpecified: boolean;
}

interface LockedRow {
  id: number;
  status: Status;
  driverId: number | null;
  companyId: number | null;
  categoryId: number;
  pickupLat: number;
  pickupLng: number;
  driverSpecified: boolean;
}

const these = (centralId: number, ids: readonly number[]): Sql => sql`
  select id, status, driver_id, company_id, category_id, pickup_lat, pickup_lng, driver_specified
  from deliveries where central_id = ${centralId} and id = any(${ids}::bigint[])`;

const toLocked = (row: LockedRow): LockedSearch => ({
  id: row.id,
  status: row.status,
  driverId: row.driverId,
  companyId: row.companyId,
  categoryId: row.categoryId,
  pickup: { lat: row.pickupLat, lng: row.pickupLng },
  driverSpecified: row.driverSpecified,
});

// Locks are taken in id order and locked rows are left for the next round, so there is no deadlock and no waiting.

/** Locks the deliveries that are not locked by others. */
export async function lockUnheld(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
): Promise<LockedSearch[]> {
  const rows = await tx.rows<LockedRow>`
    ${these(centralId, deliveryIds)} order by id for update skip locked`;
  return rows.map(toLocked);
}

/** Locks deliveries whose search continues. */
export async function lockSearching(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
): Promise<LockedSearch[]> {
  const rows = await tx.rows<LockedRow>`
    ${these(centralId, deliveryIds)} and ${IS_SEARCHING} order by id for update skip locked`;
  return rows.map(toLocked);
}

const isOverdue = (begunBefore: Temporal.Instant): Sql =>
  sql`${IS_SEARCHING} and coalesce(search_since, requested_at) <= ${begunBefore}`;

/** Searches that have exceeded the central's time limit. */
export async function findOverdueSearches(
  tx: Tx,
  centralId: number,
  begunBefore: Temporal.Instant,
  limit: number,
): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>`
    select id from deliveries where central_id = ${centralId} and ${isOverdue(begunBefore)}
    order by coalesce(search_since, requested_at), id limit ${limit}`;
  return rows.map((row) => row.id);
}

/** Locks those that are still overdue: a search may have ended or begun again since it was found. */
export async function lockOverdueSearches(
  tx: Tx,
  centralId: number,
  begunBefore: Temporal.Instant,
  deliveryIds: readonly number[],
): Promise<LockedSearch[]> {
  const rows = await tx.rows<LockedRow>`
    ${these(centralId, deliveryIds)} and ${isOverdue(begunBefore)} order by id for update skip locked`;
  return rows.map(toLocked);
}
