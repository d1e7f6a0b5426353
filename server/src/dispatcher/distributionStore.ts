import type { Status } from '../deliveries/status.ts';
import type { Stepping } from '../deliveries/takeStep.ts';
import type { Position } from '../kernel/position.ts';
import type { Tx } from '../postgres/database.ts';
import type { Profile } from '../routing/router.ts';

export interface SearchingCentral {
  id: number;
  /** Whether one of these deliveries is not pending yet. */
  hasNew: boolean;
  /** When the oldest of them began to search. */
  since: Temporal.Instant;
}

/**
 * A search is put off for ten minutes at most (searchAgainSeconds). One that is put off for longer is of a clock that has
 * been put back since, and is due.
 */
const isDueAt = (now: string): string => `(search_again_at is null or search_again_at <= ${now}
  or search_again_at > ${now}::timestamptz + interval '10 minutes')`;

/** Centrals with a delivery whose search is due for a look: the one look at all of them. */
export const findSearchingCentrals = (tx: Tx, now: Temporal.Instant): Promise<SearchingCentral[]> =>
  tx.run<SearchingCentral>(
    `select central_id as id, bool_or(status = 'distributing') as "hasNew",
      min(coalesce(search_since, requested_at)) as since
    from deliveries
    where status in ('distributing', 'pending') and grouped_into is null and ${isDueAt('$1')}
    group by central_id`,
    [now],
  );

/** A driver who may be asked: available, without an open offer, and with nothing on hold behind what it carries. */
const freeSql = (centralId: string): string => `driver.active and driver.available
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
  return tx.run(
    `select driver.central_id as "centralId", max(p.at) as "seenAt" from drivers driver
     join driver_positions p on p.central_id = driver.central_id and p.driver_id = driver.id
     where driver.central_id = any($1::bigint[]) and ${freeSql('driver.central_id')}
     group by driver.central_id`,
    [centralIds],
  );
}

export interface Searching {
  id: number;
  companyId: number | null;
  categoryId: number;
  profile: Profile;
  pickup: Position;
  searchSince: Temporal.Instant;
  status: 'distributing' | 'pending';
  /** Drivers who said no, or nothing: they are not asked again. */
  asked: number[];
}

interface SearchingRow {
  id: number;
  company_id: number | null;
  category_id: number;
  profile: Profile;
  pickup_lat: number;
  pickup_lng: number;
  search_since: Temporal.Instant;
  status: 'distributing' | 'pending';
  asked: number[];
}

/**
 * The statuses are spelled out, because the index deliveries_searching is of certain ones. A delivery of which nothing
 * but its creation was recorded was offered to nobody yet.
 */
const searchingSql = (statuses: readonly Searching['status'][]): string => `
  select d.id, d.company_id, d.category_id, category.profile, d.pickup_lat, d.pickup_lng, d.status,
    coalesce(d.search_since, d.requested_at) as search_since,
    case when d.event_sequence = 1 then '{}' else array(
      select distinct o.driver_id from offers o
      where o.central_id = $1 and o.delivery_id = d.id and o.state in ('refused', 'expired')) end as asked
  from deliveries d
  join categories category on category.central_id = $1 and category.id = d.category_id
  where d.central_id = $1 and d.status in (${statuses.map((status) => `'${status}'`).join(', ')})
    and d.grouped_into is null and ${isDueAt('$2')}
  order by coalesce(d.search_again_at, d.search_since, d.requested_at), d.id limit $3`;

/**
 * Whom to find a driver for, those first who have been due for a look longest: so everybody has a turn, however many
 * wait in vain. Answered with the longest searching first.
 */
export async function findSearching(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
  statuses: readonly Searching['status'][],
  limit: number,
): Promise<Searching[]> {
  const rows = await tx.run<SearchingRow>(searchingSql(statuses), [centralId, now, limit]);
  const searching = rows.map((row) => ({
    id: row.id,
    companyId: row.company_id,
    categoryId: row.category_id,
    profile: row.profile,
    pickup: { lat: row.pickup_lat, lng: row.pickup_lng },
    searchSince: row.search_since,
    status: row.status,
    asked: row.asked.map(Number),
  }));
  return searching.sort((a, b) => Temporal.Instant.compare(a.searchSince, b.searchSince) || a.id - b.id);
}

/** A driver who could be asked, and from where it would come. */
export interface FreeDriver {
  id: number;
  categoryIds: number[];
  /** The companies it works for; none means all. */
  companyIds: number[];
  /** Where it is; for one that still carries a delivery, where that ends. */
  from: Position;
  /** What it still carries, with the time that takes. */
  carrying: { deliveryId: number; companyId: number | null; secondsLeft: number } | null;
}

interface FreeDriverRow {
  id: number;
  categories: number[];
  companies: number[];
  lat: number;
  lng: number;
  carried_id: number | null;
  company_id: number | null;
  seconds_left: number | null;
  end_lat: number | null;
  end_lng: number | null;
}

/** Free drivers who were seen lately; some of them carry one delivery. */
export async function findFreeDrivers(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
  seenSince: Temporal.Instant,
): Promise<FreeDriver[]> {
  const rows = await tx.run<FreeDriverRow>(
    `select driver.id, p.lat, p.lng, carried.id as carried_id, carried.company_id,
       array(select category_id from driver_categories c
         where c.central_id = $1 and c.driver_id = driver.id) as categories,
       array(select b.company_id from driver_companies b
         where b.central_id = $1 and b.driver_id = driver.id) as companies,
       greatest(0, carried.planned_seconds
         - extract(epoch from $2::timestamptz - coalesce(carried.started_at, $2)))::integer as seconds_left,
       case when carried.has_return then carried.pickup_lat else last_stop.lat end as end_lat,
       case when carried.has_return then carried.pickup_lng else last_stop.lng end as end_lng
     from drivers driver
     join driver_positions p on p.central_id = $1 and p.driver_id = driver.id and p.at >= $3
     left join lateral (
       select d.id, d.company_id, d.planned_seconds, d.started_at, d.has_return, d.pickup_lat, d.pickup_lng
       from deliveries d
       where d.central_id = $1 and d.driver_id = driver.id
         and d.status in ('accepted', 'in_progress') and d.grouped_into is null limit 1) carried on true
     left join lateral (
       select s.lat, s.lng from stops s
       where s.central_id = $1 and s.delivery_id = carried.id
       order by s.position desc limit 1) last_stop on true
     where driver.central_id = $1 and ${freeSql('$1')}
     order by driver.id`,
    [centralId, now, seenSince],
  );
  return rows.map((row) => {
    const ends = row.end_lat !== null && row.end_lng !== null;
    return {
      id: row.id,
      categoryIds: row.categories.map(Number),
      companyIds: row.companies.map(Number),
      from:
        row.carried_id !== null && ends
          ? { lat: row.end_lat!, lng: row.end_lng! }
          : { lat: row.lat, lng: row.lng },
      carrying:
        row.carried_id === null
          ? null
          : { deliveryId: row.carried_id, companyId: row.company_id, secondsLeft: row.seconds_left ?? 0 },
    };
  });
}

/** A driver for a delivery, as they were matched. */
export interface Pairing {
  deliveryId: number;
  companyId: number | null;
  driverId: number;
  /** What the driver carried then. */
  carriedId: number | null;
}

/** Locks, in id order, those of the drivers who take offers and whom nobody else holds. */
export async function lockDriversOnDuty(
  tx: Tx,
  centralId: number,
  driverIds: readonly number[],
): Promise<Set<number>> {
  const rows = await tx<{ id: number }>`
    select id from drivers
    where central_id = ${centralId} and id = any(${driverIds}::bigint[]) and active and available
    order by id for no key update skip locked`;
  return new Set(rows.map((row) => row.id));
}

/**
 * Those of the pairings that still hold: since they were matched the driver may have been given something else, may
 * have said no to this very delivery, or may work for other companies only. Certain only while the locks of the drivers
 * are held.
 */
export async function findStillFree(
  tx: Tx,
  centralId: number,
  pairings: readonly Pairing[],
): Promise<Pairing[]> {
  const rows = await tx<{ place: number }>`
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

/** A locked delivery, as much of it as decides about its search. */
export interface LockedSearch extends Stepping {
  companyId: number | null;
  categoryId: number;
  pickup: Position;
  driverSpecified: boolean;
}

interface LockedRow {
  id: number;
  status: Status;
  driver_id: number | null;
  company_id: number | null;
  category_id: number;
  pickup_lat: number;
  pickup_lng: number;
  driver_specified: boolean;
}

const LOCK = `select id, status, driver_id, company_id, category_id, pickup_lat, pickup_lng, driver_specified
  from deliveries where central_id = $1 and id = any($2::bigint[])`;

const toLocked = (row: LockedRow): LockedSearch => ({
  id: row.id,
  status: row.status,
  driverId: row.driver_id,
  companyId: row.company_id,
  categoryId: row.category_id,
  pickup: { lat: row.pickup_lat, lng: row.pickup_lng },
  driverSpecified: row.driver_specified,
});

// In id order, and rows that somebody else holds are left for the next round: no deadlock and no waiting.

/** Locks those that nobody else holds. */
export async function lockUnheld(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
): Promise<LockedSearch[]> {
  const rows = await tx.run<LockedRow>(`${LOCK} order by id for update skip locked`, [
    centralId,
    deliveryIds,
  ]);
  return rows.map(toLocked);
}

/** The same of those that are still searched for. */
export async function lockSearching(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
): Promise<LockedSearch[]> {
  const rows = await tx.run<LockedRow>(
    `${LOCK} and status in ('distributing', 'pending') and grouped_into is null order by id for update skip locked`,
    [centralId, deliveryIds],
  );
  return rows.map(toLocked);
}

const OVERDUE = `status in ('distributing', 'pending') and grouped_into is null
  and coalesce(search_since, requested_at) <= $3`;

/** Searches that have gone on for longer than their central allows. */
export async function findOverdueSearches(
  tx: Tx,
  centralId: number,
  begunBefore: Temporal.Instant,
  limit: number,
): Promise<number[]> {
  const rows = await tx.run<{ id: number }>(
    `select id from deliveries where central_id = $1 and ${OVERDUE}
     order by coalesce(search_since, requested_at), id limit $2`,
    [centralId, limit, begunBefore],
  );
  return rows.map((row) => row.id);
}

/** Locks those of them that are still overdue: one may have been taken up, or begun anew, since it was found. */
export async function lockOverdueSearches(
  tx: Tx,
  centralId: number,
  begunBefore: Temporal.Instant,
  deliveryIds: readonly number[],
): Promise<LockedSearch[]> {
  const rows = await tx.run<LockedRow>(`${LOCK} and ${OVERDUE} order by id for update skip locked`, [
    centralId,
    deliveryIds,
    begunBefore,
  ]);
  return rows.map(toLocked);
}
