import { isOver, type Status } from '../../deliveries/deliveries/status.ts';
import { LAST_VISIT } from '../../deliveries/proof/proofStore.ts';
import type { PlannedWay } from '../../deliveries/tracking/estimateArrivals.ts';
import type { Profile } from '../../geo/routing/router.ts';
import type { CentralToken } from '../../platform/kernel/centralToken.ts';
import type { Position } from '../../platform/kernel/position.ts';
import type { FailureDecision, FailureReason } from '../../platform/kernel/states.ts';
import type { Tx } from '../../platform/postgres/database.ts';

/** Everything the recipient of one stop may see; nothing in it belongs to another stop. */
export interface TrackedJourney {
  centralId: number;
  stopId: number;
  deliveryId: number;
  status: Status;
  requestedAt: Temporal.Instant;
  acceptedAt: Temporal.Instant | null;
  arrivedAt: Temporal.Instant | null;
  startedAt: Temporal.Instant | null;
  concludedAt: Temporal.Instant | null;
  /** When the delivery ended, with or without this stop. */
  endedAt: Temporal.Instant | null;
  destination: Position;
  destinationAddress: string;
  pickup: Position;
  /** The way of the delivery that carries the stop. */
  planned: PlannedWay;
  /** Positions of the open stops before this one, in order. */
  before: Position[];
  /** The driver who carries it or, if the delivery was reassigned later, the one who delivered it. */
  driver: TrackedDriver | null;
  driverAt: { position: Position; at: Temporal.Instant } | null;
  confirmationCode: number | null;
  /** Whether the stop was given up, at `concludedAt`. */
  isNotDelivered: boolean;
  /** Failed visits, oldest first. */
  attempts: readonly TrackedAttempt[];
  /** The company that ordered it; null when a person did. */
  shop: { name: string; supportText: string | null } | null;
  /** How vehicles of the ordered category use the roads. */
  profile: Profile;
}

interface TrackedDriver {
  firstName: string;
  /** As the central registered it. */
  vehicle: string;
  plate: string;
  color: string | null;
  /** The common profile of the driver's categories; null if they differ, so that the vehicle is unknown. */
  profile: Profile | null;
}

export interface TrackedAttempt {
  reason: FailureReason;
  decision: FailureDecision;
  happenedAt: Temporal.Instant;
  /** Whether the central opened another delivery for the same goods that is not cancelled or not attended. */
  isOrderedAgain: boolean;
}

export type Phase =
  | 'received'
  | 'searching'
  | 'after-another'
  | 'to-pickup'
  | 'at-pickup'
  | 'on-the-way'
  | 'delivered'
  | 'not-delivered'
  | 'cancelled'
  | 'not-attended';

/** The state as the recipient sees it. */
export function phaseOf({
  status,
  concludedAt,
  isNotDelivered,
  arrivedAt,
}: Pick<TrackedJourney, 'status' | 'concludedAt' | 'isNotDelivered' | 'arrivedAt'>): Phase {
  if (isNotDelivered) return 'not-delivered';
  if (concludedAt) return 'delivered';
  switch (status) {
    case 'awaiting_release':
      return 'received';
    case 'distributing':
    case 'offered':
    case 'pending':
      return 'searching';
    case 'on_hold':
      return 'after-another';
    case 'accepted':
      return arrivedAt ? 'at-pickup' : 'to-pickup';
    case 'in_progress':
      return 'on-the-way';
    case 'finished':
      return 'delivered';
    case 'cancelled':
      return 'cancelled';
    case 'not_attended':
      return 'not-attended';
  }
}

/** A position older than this is shown as old. */
export const POSITION_FRESH_SECONDS = 90;

/** The part that changes while the recipient watches; nothing in it belongs to another stop. */
export interface TrackedProgress {
  centralId: number;
  /** The delivery that carries the stop, and the delivery it was ordered with: events of both concern it. */
  carriedBy: number;
  orderedWith: number;
  status: Status;
  /** Whether the driver has arrived at the pickup. */
  isAtPickup: boolean;
  driverId: number | null;
  /** Open stops before this one. */
  before: number;
  /** When the stop was concluded: handed over or given up. */
  concludedAt: Temporal.Instant | null;
  isNotDelivered: boolean;
  /** The number of failed visits. */
  attempts: number;
  driverAt: { position: Position; at: Temporal.Instant } | null;
  /** Whether there is a photo of the hand-over; null if the central shows none. */
  hasPhoto: boolean | null;
}

/** Whether only a late photo can still change the page. */
const hasEnded = ({ status, concludedAt, isNotDelivered }: TrackedProgress): boolean =>
  // The central may put a stop that was given up back into the run, so it can still change.
  (concludedAt !== null && !isNotDelivered) || isOver(status);

/** No further change is possible. */
export const isTrackingOver = (progress: TrackedProgress, now: Temporal.Instant): boolean =>
  hasEnded(progress) && !isPhotoAwaited(progress, now);

/** How long after the hand-over an open page waits for its photo. */
const PHOTO_AWAITED = { minutes: 30 };

/** Most photos arrive before the end of their stop. A phone that was offline sends them later. */
export const isPhotoAwaited = (
  {
    concludedAt,
    isNotDelivered,
    hasPhoto,
  }: Pick<TrackedProgress, 'concludedAt' | 'isNotDelivered' | 'hasPhoto'>,
  now: Temporal.Instant,
): boolean =>
  hasPhoto === false &&
  concludedAt !== null &&
  !isNotDelivered &&
  Temporal.Instant.compare(now, concludedAt.add(PHOTO_AWAITED)) < 0;

/** Statuses in which the recipient may see the driver: on the way to the pickup, or from it. */
export const showsDriver = (progress: TrackedProgress): boolean =>
  !hasEnded(progress) &&
  !progress.isNotDelivered &&
  (progress.status === 'accepted' || progress.status === 'in_progress');

interface JourneyRow {
  centralId: number;
  stopId: number;
  deliveryId: number;
  status: Status;
  requestedAt: Temporal.Instant;
  acceptedAt: Temporal.Instant | null;
  arrivedAt: Temporal.Instant | null;
  startedAt: Temporal.Instant | null;
  concludedAt: Temporal.Instant | null;
  endedAt: Temporal.Instant | null;
  lat: number;
  lng: number;
  address: string;
  pickupLat: number;
  pickupLng: number;
  before: Position[];
  stops: Position[];
  hasReturn: boolean;
  plannedSeconds: number;
  driverName: string | null;
  vehicle: string | null;
  plate: string | null;
  color: string | null;
  driverLat: number | null;
  driverLng: number | null;
  driverAt: Temporal.Instant | null;
  confirmationCode: number | null;
  notDelivered: boolean;
  attempts: readonly (Omit<TrackedAttempt, 'happenedAt'> & { happenedAt: string })[];
  driverProfile: Profile | null;
  shopName: string | null;
  shopSupport: string | null;
  profile: Profile;
}

/** The token is the only credential: it has at least 122 random bits. */
export async function findJourney(
  tx: Tx,
  { centralId, secret }: CentralToken,
): Promise<TrackedJourney | undefined> {
  const row = await tx.row<JourneyRow>`
    select s.central_id, s.id as stop_id, d.id as delivery_id, d.status, d.requested_at, d.accepted_at, d.arrived_at,
      d.started_at, s.concluded_at, coalesce(s.concluded_at, d.finished_at, d.cancelled_at, d.not_attended_at) as ended_at,
      s.lat, s.lng, s.address, d.pickup_lat, d.pickup_lng, s.confirmation_code, s.not_delivered, category.profile,
      company.name as shop_name, company.support_text as shop_support,
      coalesce((select jsonb_agg(jsonb_build_object('reason', a.reason, 'decision', a.decision,
          'happenedAt', a.happened_at, 'isOrderedAgain', exists (
            select from deliveries again where again.central_id = ${centralId} and again.id = a.new_delivery_id
              and again.status not in ('cancelled', 'not_attended'))) order by a.number)
        from stop_attempts a where a.central_id = ${centralId} and a.stop_id = s.id
          and a.undone_at is null), '[]') as attempts,
      coalesce((select jsonb_agg(jsonb_build_object('lat', b.lat, 'lng', b.lng) order by b.position)
        from stops b where b.central_id = ${centralId} and b.delivery_id = s.delivery_id
          and b.position < s.position and b.concluded_at is null), '[]') as before,
      d.has_return, d.planned_seconds, (
        select jsonb_agg(jsonb_build_object('lat', each.lat, 'lng', each.lng) order by each.position)
        from stops each where each.central_id = ${centralId} and each.delivery_id = s.delivery_id) as stops,
      driver.name as driver_name, driver.vehicle, driver.plate, driver.color, (
        select case when min(own.profile) = max(own.profile) then min(own.profile) end
        from driver_categories served
        join categories own on own.central_id = ${centralId} and own.id = served.category_id
        where served.central_id = ${centralId} and served.driver_id = driver.id) as driver_profile,
      p.lat as driver_lat, p.lng as driver_lng, p.at as driver_at
    from stops s
    join deliveries d on d.central_id = ${centralId} and d.id = s.delivery_id
    join categories category on category.central_id = ${centralId} and category.id = d.category_id
    left join companies company on company.central_id = ${centralId} and company.id = d.company_id
    left join drivers driver on driver.central_id = ${centralId}
      and driver.id = coalesce(case when s.concluded_at is not null then s.concluded_by end, d.driver_id)
      and d.status in ('accepted', 'on_hold', 'in_progress', 'finished')
    left join driver_positions p on p.central_id = ${centralId} and p.driver_id = driver.id
      and d.status in ('accepted', 'in_progress')
    where s.central_id = ${centralId} and s.tracking_token = ${secret}`;
  return row && toJourney(row);
}

function toJourney(row: JourneyRow): TrackedJourney {
  const { driverLat: lat, driverLng: lng, driverAt: at } = row;
  return {
    centralId: row.centralId,
    stopId: row.stopId,
    deliveryId: row.deliveryId,
    status: row.status,
    requestedAt: row.requestedAt,
    acceptedAt: row.acceptedAt,
    arrivedAt: row.arrivedAt,
    startedAt: row.startedAt,
    concludedAt: row.concludedAt,
    endedAt: row.endedAt,
    destination: { lat: row.lat, lng: row.lng },
    destinationAddress: row.address,
    pickup: { lat: row.pickupLat, lng: row.pickupLng },
    planned: {
      pickup: { lat: row.pickupLat, lng: row.pickupLng },
      stops: row.stops,
      returning: row.hasReturn,
      seconds: row.plannedSeconds,
    },
    before: row.before,
    driver:
      row.driverName === null
        ? null
        : {
            firstName: row.driverName.trim().split(/\s+/)[0]!,
            vehicle: row.vehicle ?? '',
            plate: row.plate ?? '',
            color: row.color,
            profile: row.driverProfile,
          },
    driverAt: lat === null || lng === null || at === null ? null : { position: { lat, lng }, at },
    confirmationCode: row.confirmationCode,
    isNotDelivered: row.notDelivered,
    attempts: row.attempts.map((attempt) => ({
      ...attempt,
      happenedAt: Temporal.Instant.from(attempt.happenedAt),
    })),
    shop: row.shopName === null ? null : { name: row.shopName, supportText: row.shopSupport },
    profile: row.profile,
  };
}

interface ProgressRow {
  centralId: number;
  carriedBy: number;
  orderedWith: number;
  status: Status;
  isAtPickup: boolean;
  driverId: number | null;
  before: number;
  concludedAt: Temporal.Instant | null;
  notDelivered: boolean;
  attempts: number;
  lat: number | null;
  lng: number | null;
  at: Temporal.Instant | null;
  hasPhoto: boolean | null;
}

/** The token is the only credential, as above. */
export async function findProgress(
  tx: Tx,
  { centralId, secret }: CentralToken,
): Promise<TrackedProgress | undefined> {
  const row = await tx.row<ProgressRow>`
    select s.central_id, s.delivery_id as carried_by, s.ordered_with, d.status, d.driver_id, s.concluded_at, s.not_delivered,
      (select count(*) from stop_attempts a where a.central_id = ${centralId} and a.stop_id = s.id
        and a.undone_at is null) as attempts,
      d.status = 'accepted' and d.arrived_at is not null as is_at_pickup,
      (select count(*) from stops b where b.central_id = ${centralId} and b.delivery_id = s.delivery_id
        and b.position < s.position and b.concluded_at is null) as before,
      p.lat, p.lng, p.at, case when (c.settings ->> 'proofOnTracking')::boolean then
        s.concluded_at is not null and not s.not_delivered and exists (
          select from proof_images i where i.central_id = ${centralId} and i.stop_id = s.id and i.kind = 'photo'
            and i.attempt = ${LAST_VISIT}) end as has_photo
    from stops s
    join deliveries d on d.central_id = ${centralId} and d.id = s.delivery_id
    join centrals c on c.id = ${centralId} and c.active
    left join driver_positions p on p.central_id = ${centralId} and p.driver_id = d.driver_id
    where s.central_id = ${centralId} and s.tracking_token = ${secret}`;
  return row && toProgress(row);
}

function toProgress(row: ProgressRow): TrackedProgress {
  const { lat, lng, at } = row;
  const progress = {
    centralId: row.centralId,
    carriedBy: row.carriedBy,
    orderedWith: row.orderedWith,
    status: row.status,
    isAtPickup: row.isAtPickup,
    driverId: row.driverId,
    before: row.before,
    concludedAt: row.concludedAt,
    isNotDelivered: row.notDelivered,
    attempts: row.attempts,
    driverAt: lat === null || lng === null || at === null ? null : { position: { lat, lng }, at },
    hasPhoto: row.hasPhoto,
  };
  return showsDriver(progress) ? progress : { ...progress, driverAt: null };
}
