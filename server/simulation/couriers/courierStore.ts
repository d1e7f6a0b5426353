import type { Profile } from '../../src/geo/routing/router.ts';
import { CLOCK_TOLERANCE } from '../../src/platform/kernel/clock.ts';
import type { Position } from '../../src/platform/kernel/position.ts';
import type { Tx } from '../../src/platform/postgres/database.ts';
import type { Courier, NextStop, ReadScript, Seen, Task } from './courier.ts';

interface CourierRow {
  id: number;
  available: boolean;
  lat: number | null;
  lng: number | null;
  at: Temporal.Instant | null;
  deliveryId: number | null;
  note: string | null;
  wasDeclined: boolean;
  profile: Profile;
  pickupLat: number;
  pickupLng: number;
  hasReturn: boolean;
  started: boolean;
  arrivedAt: Temporal.Instant | null;
  acceptedAt: Temporal.Instant;
  movedOnAt: Temporal.Instant;
  stopId: number | null;
  stopLat: number;
  stopLng: number;
  code: number | null;
  wrongCodes: number;
  stopsLeft: number;
}

/** Every simulated driver of a central with its current delivery, in one query. */
export async function findCouriers(tx: Tx, centralId: number, readScript: ReadScript): Promise<Courier[]> {
  const rows = await tx.rows<CourierRow>`
    select driver.id, driver.active and driver.available as available, p.lat, p.lng, p.at,
      d.id as delivery_id, d.note, category.profile, d.pickup_lat, d.pickup_lng, d.has_return,
      d.status = 'in_progress' as started, d.arrived_at, d.accepted_at,
      greatest(d.accepted_at, d.started_at, progress.last_concluded_at) as moved_on_at, progress.stops_left,
      next.id as stop_id, next.lat as stop_lat, next.lng as stop_lng, next.confirmation_code as code,
      next.wrong_codes,
      exists (select 1 from offers o
        where o.central_id = ${centralId} and o.delivery_id = d.id and o.state = 'refused') as was_declined
    from drivers driver
    left join driver_positions p on p.central_id = ${centralId} and p.driver_id = driver.id
    left join deliveries d on d.central_id = ${centralId} and d.driver_id = driver.id
      and d.status in ('accepted', 'in_progress') and d.grouped_into is null
    left join categories category on category.central_id = ${centralId} and category.id = d.category_id
    left join lateral (
      select max(s.concluded_at) as last_concluded_at, count(*) filter (where s.concluded_at is null) as stops_left
      from stops s where s.central_id = ${centralId} and s.delivery_id = d.id) progress on true
    left join lateral (
      select s.id, s.lat, s.lng, s.confirmation_code, s.wrong_codes from stops s
      where s.central_id = ${centralId} and s.delivery_id = d.id and s.concluded_at is null
      order by s.position limit 1) next on true
    where driver.central_id = ${centralId} and driver.simulated
    order by driver.id`;
  return rows.map((row) => ({
    id: row.id,
    available: row.available,
    seen: seenIn(row),
    task: taskIn(row, readScript),
  }));
}

const seenIn = ({ lat, lng, at }: CourierRow): Seen | null =>
  lat === null || lng === null || at === null ? null : { position: { lat, lng }, at };

function taskIn(row: CourierRow, readScript: ReadScript): Task | null {
  if (row.deliveryId === null) return null;
  return {
    deliveryId: row.deliveryId,
    script: readScript(row.note),
    wasDeclined: row.wasDeclined,
    profile: row.profile,
    pickup: { lat: row.pickupLat, lng: row.pickupLng },
    returning: row.hasReturn,
    started: row.started,
    arrivedAt: row.arrivedAt,
    acceptedAt: row.acceptedAt,
    movedOnAt: row.movedOnAt,
    nextStop: nextStopIn(row),
    stopsLeft: row.stopsLeft,
  };
}

const nextStopIn = (row: CourierRow): NextStop | null =>
  row.stopId === null
    ? null
    : {
        id: row.stopId,
        position: { lat: row.stopLat, lng: row.stopLng },
        code: row.code,
        wrongCodes: row.wrongCodes,
      };

/** An offer that a simulated driver has not answered yet. */
export interface OpenOffer {
  id: number;
  deliveryId: number;
  driverId: number;
  offeredAt: Temporal.Instant;
  expiresAt: Temporal.Instant | null;
  note: string | null;
  wasDeclined: boolean;
}

export async function findOpenOffers(tx: Tx, centralId: number): Promise<OpenOffer[]> {
  return tx.rows<OpenOffer>`
    select offer.id, offer.delivery_id, offer.driver_id,
      offer.offered_at, offer.expires_at, d.note,
      exists (select 1 from offers o
        where o.central_id = ${centralId} and o.delivery_id = d.id and o.state = 'refused') as "wasDeclined"
    from drivers driver
    join offers offer on offer.central_id = ${centralId} and offer.driver_id = driver.id and offer.state = 'open'
    join deliveries d on d.central_id = ${centralId} and d.id = offer.delivery_id
    where driver.central_id = ${centralId} and driver.simulated and driver.active
    order by offer.offered_at, offer.id`;
}

/** The period and the number of busy places. */
const DELIVERIES_READ_MAX = 200;
const PLACES_MAX = 8;

/** The most frequent pickups of recent deliveries. */
export async function findBusyPlaces(tx: Tx, centralId: number): Promise<Position[]> {
  return tx.rows<Position>`
    select lat, lng from (
      select pickup_lat as lat, pickup_lng as lng from deliveries
      where central_id = ${centralId}
      order by requested_at desc, id desc limit ${DELIVERIES_READ_MAX}) latest
    group by lat, lng order by count(*) desc, lat, lng limit ${PLACES_MAX}`;
}

/**
 * Takes or renews the lease on every central that simulates its couriers, and returns the centrals now held.
 * Centrals that another process holds are skipped until their lease expires. A lease with a longer time than usual was
 * taken before the clock was set back, and is ignored. One statement, which commits by itself.
 */
export async function holdLeases(
  tx: Tx,
  holder: string,
  now: Temporal.Instant,
  until: Temporal.Instant,
): Promise<number[]> {
  if (tx.isDistributed) return holdEachLease(tx, holder, now, until);
  const rows = await tx.rows<{ centralId: number }>`
    insert into courier_leases as lease (central_id, holder, expires_at)
    select id, ${holder}::uuid, ${until}::timestamptz from centrals
    where active and settings @> '{"simulatedCouriers": true}' order by id
    on conflict (central_id) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where lease.holder = excluded.holder or lease.expires_at <= ${now}
          or lease.expires_at > ${until.add(CLOCK_TOLERANCE)}
    returning central_id`;
  return rows.map((row) => row.centralId);
}

/** The same with a statement for each central, as a distributed database needs it. */
async function holdEachLease(
  tx: Tx,
  holder: string,
  now: Temporal.Instant,
  until: Temporal.Instant,
): Promise<number[]> {
  const centrals = await tx.rows<{ id: number }>`
    select id from centrals where active and settings @> '{"simulatedCouriers": true}' order by id`;
  const held: number[] = [];
  for (const { id } of centrals) {
    const rows = await tx.rows`
      insert into courier_leases as lease (central_id, holder, expires_at)
      values (${id}, ${holder}::uuid, ${until})
      on conflict (central_id) do update set holder = excluded.holder, expires_at = excluded.expires_at
        where lease.holder = excluded.holder or lease.expires_at <= ${now}
          or lease.expires_at > ${until.add(CLOCK_TOLERANCE)}
      returning central_id`;
    if (rows.length > 0) held.push(id);
  }
  return held;
}

export async function releaseLeases(tx: Tx, holder: string): Promise<void> {
  await tx.rows`delete from courier_leases where holder = ${holder}::uuid`;
}
