import type { Scope } from '../../centrals/caller.ts';
import type { FailureRules } from '../../centrals/failureRules.ts';
import type { ShareRule } from '../../money/pricing/share.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts';
import type { OwnProofRules } from '../../registers/companies/proofRules.ts';
import { type DemandsJson, demandsJson, hasDemands, readDemands } from '../orders/demandStore.ts';
import type { Demands } from '../orders/demands.ts';
import type { Payment } from '../orders/request.ts';
import { type DetailPlace, placeSql } from './deliveryDetailStore.ts';
import type { Status } from './status.ts';

/** The work of a driver: its offers and the deliveries it carries. */
export interface DriverWork {
  driver: WorkingDriver;
  /** Open offers, the oldest first. They contain no data of recipients. */
  offers: readonly WorkOffer[];
  /** The deliveries it carries, the current one first. */
  runs: readonly WorkRun[];
}

export interface WorkingDriver {
  id: number;
  name: string;
  vehicle: string;
  plate: string;
  available: boolean;
  position: Position | null;
  categories: readonly { id: number; name: string }[];
}

/** The values from which a driver's pay is computed. */
export interface WorkShare {
  /** The agreed share, or that of the tariff; null: the central's. */
  share: ShareRule | null;
  grossCents: number;
}

export interface WorkOffer extends WorkShare {
  deliveryId: number;
  /** Instants within lists are ISO 8601 texts, in any zone. */
  offeredAt: string;
  expiresAt: string | null;
  /** The plan of whose run it is a part; null: it is offered alone. */
  planId: number | null;
  pickup: DetailPlace;
  stopCount: number;
  /** The stops that demand anything. */
  stops: readonly { demands: Demands | null }[];
  metres: number;
  seconds: number;
  returning: boolean;
}

export interface WorkRun extends WorkShare {
  id: number;
  status: Extract<Status, 'accepted' | 'on_hold' | 'in_progress'>;
  companyName: string | null;
  failureRules: Partial<FailureRules> | null;
  /** The proof rules of its company; null where no company ordered it. */
  ownProofRules: OwnProofRules | null;
  note: string | null;
  returning: boolean;
  pickup: DetailPlace;
  arrivedAt: string | null;
  startedAt: string | null;
  metres: number;
  seconds: number;
  version: number;
  /** The price, if it is paid in cash and no stop of an order in cash has an amount to collect. */
  cashCents: number | null;
  stops: readonly WorkStop[];
}

export interface WorkStop extends DetailPlace {
  id: number;
  order: number;
  orderNumber: string | null;
  recipientName: string | null;
  recipientPhone: string | null;
  note: string | null;
  collectCents: number | null;
  /** How the delivery that the stop was ordered with is paid. */
  payment: Payment;
  /** Whether it was ordered with another delivery. */
  grouped: boolean;
  wrongCodes: number;
  arrivedAt: string | null;
  concludedAt: string | null;
  isNotDelivered: boolean;
  /** Failed attempts, except those that were undone. */
  attempts: number;
  demands: Demands | null;
}

type AsJson<Each extends { demands: Demands | null }> = Omit<Each, 'demands'> & {
  demands: DemandsJson | null;
};
interface WorkRow {
  driver: WorkingDriver;
  offers: readonly (Omit<WorkOffer, 'stops'> & { stops: readonly { demands: DemandsJson }[] | null })[];
  runs: readonly (Omit<WorkRun, 'stops'> & { stops: readonly AsJson<WorkStop>[] })[];
}

/** More than a driver carries or is offered at a time; limits the rows read. */
const LIMIT = raw('limit 50');

const PICKUP = placeSql('d', 'pickup_');
const STOP_PLACE = placeSql('s');

/** Each part is read through an index of open rows only, so the cost does not grow with a driver's history. */
export async function findDriverWork(
  tx: Tx,
  centralId: number,
  driverId: number,
  now: Temporal.Instant,
): Promise<DriverWork> {
  const share = sql`'grossCents', d.gross_cents, 'share', coalesce(d.share, (
    select t.share from tariffs t where t.central_id = ${centralId} and t.id = d.tariff_id))`;
  const carried = sql`driver_id = ${driverId} and grouped_into is null`;
  const row = await tx.row<WorkRow>`
    select json_build_object('id', driver.id, 'name', driver.name, 'vehicle', driver.vehicle, 'plate', driver.plate,
        'available', driver.available,
        'position', case when p.lat is not null then json_build_object('lat', p.lat, 'lng', p.lng) end,
        'categories', (
          select coalesce(json_agg(json_build_object('id', category.id, 'name', category.name) order by category.id), '[]')
          from driver_categories dc
          join categories category on category.central_id = ${centralId} and category.id = dc.category_id
          where dc.central_id = ${centralId} and dc.driver_id = driver.id)) as driver,
      (select coalesce(json_agg(offer.shown order by offer.id), '[]') from (
        select o.id, json_build_object('deliveryId', d.id, 'offeredAt', o.offered_at, 'expiresAt', o.expires_at,
          'planId', o.plan_id,
          'pickup', json_build_object(${PICKUP}), 'metres', d.planned_metres,
          'seconds', d.planned_seconds, 'returning', d.has_return, ${share}, 'stopCount', (
            select count(*) from stops s where s.central_id = ${centralId} and s.delivery_id = d.id),
          'stops', case when ${hasDemands(centralId)} then (
            select json_agg(json_build_object('demands', ${demandsJson(centralId)}))
            from stops s join stop_demands given on given.central_id = ${centralId} and given.stop_id = s.id
            where s.central_id = ${centralId} and s.delivery_id = d.id) end) as shown
        from offers o join deliveries d on d.central_id = ${centralId} and d.id = o.delivery_id
        where o.central_id = ${centralId} and o.driver_id = driver.id and o.state = 'open'
          and (o.expires_at is null or o.expires_at > ${now})
        order by o.id ${LIMIT}) offer) as offers,
      (select coalesce(json_agg(json_build_object('id', d.id, 'status', d.status, 'companyName', company.name,
          'failureRules', company.failure_rules,
          'ownProofRules', case when company.id is not null then json_build_object('proofPhoto', company.proof_photo,
            'proofSignature', company.proof_signature, 'proofName', company.proof_name,
            'proofAmount', company.proof_amount) end,
          'note', d.note, 'returning', d.has_return, 'pickup', json_build_object(${PICKUP}),
          'arrivedAt', d.arrived_at, 'startedAt', d.started_at, 'metres', d.planned_metres,
          'seconds', d.planned_seconds, 'version', d.version, ${share}, 'cashCents', (
            select d.net_cents where d.payment = 'cash' and not exists (
              select 1 from stops s
              join deliveries origin on origin.central_id = ${centralId} and origin.id = s.ordered_with
                and origin.payment = 'cash'
              where s.central_id = ${centralId} and s.delivery_id = d.id
                and (s.collect_cents > 0 or s.received_cents is not null))),
          'stops', (
            select coalesce(json_agg(json_build_object(${STOP_PLACE}, 'id', s.id, 'order', s.position,
              'orderNumber', s.order_number, 'recipientName', s.recipient_name, 'recipientPhone', s.recipient_phone,
              'note', s.note, 'collectCents', s.collect_cents, 'payment', origin.payment,
              'grouped', s.ordered_with <> s.delivery_id, 'wrongCodes', s.wrong_codes,
              'arrivedAt', s.arrived_at, 'concludedAt', s.concluded_at,
              'isNotDelivered', s.not_delivered, 'demands', ${demandsJson(centralId)}, 'attempts', (
                select count(*) from stop_attempts a
                where a.central_id = ${centralId} and a.stop_id = s.id and a.undone_at is null))
              order by s.position, s.id), '[]')
            from stops s
            join deliveries origin on origin.central_id = ${centralId} and origin.id = s.ordered_with
            where s.central_id = ${centralId} and s.delivery_id = d.id))
          order by d.status = 'on_hold', d.accepted_at, d.id), '[]')
        from (
          (select * from deliveries
            where central_id = ${centralId} and ${carried} and status in ('accepted', 'in_progress'))
          union all
          (select * from deliveries where central_id = ${centralId} and ${carried} and status = 'on_hold'
            order by accepted_at, id ${LIMIT})) d
        left join companies company on company.central_id = ${centralId} and company.id = d.company_id) as runs
    from drivers driver
    left join driver_positions p on p.central_id = ${centralId} and p.driver_id = driver.id
    where driver.central_id = ${centralId} and driver.id = ${driverId}`;
  if (!row) throw new Refusal('driver-not-found');
  const read = <Each extends { demands: DemandsJson | null }>(stop: Each) => ({
    ...stop,
    demands: readDemands(stop.demands),
  });
  return {
    driver: row.driver,
    offers: row.offers.map((offer) => ({ ...offer, stops: (offer.stops ?? []).map(read) })),
    runs: row.runs.map((run) => ({ ...run, stops: run.stops.map(read) })),
  };
}

/** A delivery that a driver carries, with the fields from which times are estimated. */
export interface Run {
  id: number;
  driverId: number;
  status: 'accepted' | 'on_hold' | 'in_progress';
  hasArrived: boolean;
  pickup: Position;
  pickupAddress: string;
  returning: boolean;
  plannedSeconds: number;
  /** In their order. */
  stops: readonly RunStop[];
}

export interface RunStop extends Position {
  id: number;
  address: string;
  concluded: boolean;
}

// Uses partial indexes of carried deliveries, so the cost does not depend on the history.
const runs = (centralId: number): Sql => sql`
  select d.id, d.driver_id, d.status, d.arrived_at is not null as has_arrived,
    json_build_object('lat', d.pickup_lat, 'lng', d.pickup_lng) as pickup, d.pickup_address,
    d.has_return as returning,
    d.planned_seconds, (
      select coalesce(json_agg(json_build_object('id', s.id, 'lat', s.lat, 'lng', s.lng, 'address', s.address,
        'concluded', s.concluded_at is not null) order by s.position, s.id), '[]')
      from stops s where s.central_id = ${centralId} and s.delivery_id = d.id) as stops
  from deliveries d
  where d.central_id = ${centralId} and d.grouped_into is null and d.status in ('accepted', 'on_hold', 'in_progress')`;

/** The runs of all drivers of a central, or of those named; for each driver the current one first. */
export const listRuns = (tx: Tx, centralId: number, driverIds: readonly number[] | null): Promise<Run[]> =>
  tx.rows<Run>`
    ${runs(centralId)} and (${driverIds}::bigint[] is null or d.driver_id = any(${driverIds}::bigint[]))
    order by d.driver_id, d.status = 'on_hold', d.accepted_at, d.id`;

export const findRun = (tx: Tx, centralId: number, deliveryId: number): Promise<Run | undefined> =>
  tx.row<Run>`${runs(centralId)} and d.id = ${deliveryId}`;

/** The position of the driver who carries a delivery, or its carrier; null while there is none. */
export async function findCarrierPosition(tx: Tx, scope: Scope, id: number): Promise<Position | null> {
  const row = await tx.row<{ lat: number | null; lng: number | null }>`
    select p.lat, p.lng
    from deliveries d
    join deliveries carrier on carrier.central_id = ${scope.centralId} and carrier.id = coalesce(d.grouped_into, d.id)
    left join driver_positions p on p.central_id = ${scope.centralId} and p.driver_id = carrier.driver_id
      and carrier.status in ('accepted', 'on_hold', 'in_progress')
    where d.central_id = ${scope.centralId} and d.id = ${id}
      and (${scope.companyId}::bigint is null or d.company_id = ${scope.companyId})`;
  if (!row) throw new Refusal('delivery-not-found');
  const { lat, lng } = row;
  return lat === null || lng === null ? null : { lat, lng };
}

/** A driver who is available, carries a delivery, or was seen recently. */
export interface DriverAtWork {
  id: number;
  name: string;
  phone: string;
  vehicle: string;
  plate: string;
  available: boolean;
  simulated: boolean;
  categoryIds: readonly number[];
  lat: number | null;
  lng: number | null;
  seenAt: Temporal.Instant | null;
  /** The deliveries it carries, the current one first; only those in the caller's scope. */
  deliveryIds: readonly number[];
}

/** A company sees only drivers who carry a delivery of that company now. */
export async function listDriversAtWork(
  tx: Tx,
  { centralId, companyId }: Scope,
  seenSince: Temporal.Instant,
  limit: number,
): Promise<DriverAtWork[]> {
  return tx.rows<DriverAtWork>`
    with carried as (
      select driver_id, json_agg(id order by status = 'on_hold', accepted_at, id) as ids
      from deliveries
      where central_id = ${centralId} and status in ('accepted', 'on_hold', 'in_progress') and grouped_into is null
        and (${companyId}::bigint is null or company_id = ${companyId})
      group by driver_id)
    select d.id, d.name, d.phone, d.vehicle, d.plate, d.available, d.simulated, p.lat, p.lng, p.at as seen_at,
      coalesce(carried.ids, '[]') as delivery_ids, (
        select coalesce(json_agg(c.category_id order by c.category_id), '[]') from driver_categories c
        where c.central_id = ${centralId} and c.driver_id = d.id) as category_ids
    from drivers d
    left join driver_positions p on p.central_id = ${centralId} and p.driver_id = d.id
    left join carried on carried.driver_id = d.id
    where d.central_id = ${centralId}
      and (carried.driver_id is not null or ${companyId}::bigint is null and d.active
        and (d.available or p.at > ${seenSince}))
    order by d.name, d.id limit ${limit}`;
}

/** Who carries a delivery now, and whether a simulated courier does. */
export interface DeliveryDriver {
  status: Status;
  note: string | null;
  driver: { id: number; name: string; simulated: boolean } | null;
}

export async function findDeliveryDriver(tx: Tx, scope: Scope, deliveryId: number): Promise<DeliveryDriver> {
  const row = await tx.row<{
    status: Status;
    note: string | null;
    driverId: number | null;
    name: string;
    simulated: boolean;
  }>`
    select d.status, d.note, driver.id as driver_id, driver.name, driver.simulated
    from deliveries d
    left join drivers driver on driver.central_id = ${scope.centralId} and driver.id = d.driver_id
    where d.central_id = ${scope.centralId} and d.id = ${deliveryId}
      and (${scope.companyId}::bigint is null or d.company_id = ${scope.companyId})`;
  if (!row) throw new Refusal('delivery-not-found');
  const { status, note, driverId: id, name, simulated } = row;
  return { status, note, driver: id === null ? null : { id, name, simulated } };
}
