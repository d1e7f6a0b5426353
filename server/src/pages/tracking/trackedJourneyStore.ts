import type { Status } from '../../deliveries/status.ts';
import type { Position } from '../../kernel/position.ts';
import type { Tx } from '../../postgres/database.ts';
import type { TrackedJourney } from './trackedJourney.ts';

interface JourneyRow {
  central_id: number;
  stop_id: number;
  delivery_id: number;
  status: Status;
  requested_at: Temporal.Instant;
  accepted_at: Temporal.Instant | null;
  arrived_at: Temporal.Instant | null;
  started_at: Temporal.Instant | null;
  concluded_at: Temporal.Instant | null;
  ended_at: Temporal.Instant | null;
  lat: number;
  lng: number;
  address: string;
  pickup_lat: number;
  pickup_lng: number;
  before: Position[];
  driver_name: string | null;
  vehicle: string | null;
  plate: string | null;
  color: string | null;
  driver_lat: number | null;
  driver_lng: number | null;
  driver_at: Temporal.Instant | null;
  confirmation_code: number | null;
}

/** The token alone opens the door, so it is looked up without a central: it is 122 random bits or more. */
export async function findJourney(tx: Tx, token: string): Promise<TrackedJourney | undefined> {
  const [row] = await tx<JourneyRow>`
    select s.central_id, s.id as stop_id, d.id as delivery_id, d.status, d.requested_at, d.accepted_at, d.arrived_at,
      d.started_at, s.concluded_at, coalesce(s.concluded_at, d.finished_at, d.cancelled_at, d.not_attended_at) as ended_at,
      s.lat, s.lng, s.address, d.pickup_lat, d.pickup_lng, s.confirmation_code,
      coalesce((select jsonb_agg(jsonb_build_object('lat', b.lat, 'lng', b.lng) order by b.position)
        from stops b where b.central_id = s.central_id and b.delivery_id = s.delivery_id
          and b.position < s.position and b.concluded_at is null), '[]') as before,
      driver.name as driver_name, driver.vehicle, driver.plate, driver.color,
      p.lat as driver_lat, p.lng as driver_lng, p.at as driver_at
    from stops s
    join deliveries d on d.central_id = s.central_id and d.id = s.delivery_id
    left join drivers driver on driver.central_id = d.central_id and driver.id = d.driver_id
      and d.status in ('accepted', 'on_hold', 'in_progress', 'finished')
    left join driver_positions p on p.central_id = driver.central_id and p.driver_id = driver.id
      and d.status in ('accepted', 'in_progress')
    where s.tracking_token = ${token}`;
  return row && toJourney(row);
}

function toJourney(row: JourneyRow): TrackedJourney {
  const { driver_lat: lat, driver_lng: lng, driver_at: at } = row;
  return {
    centralId: row.central_id,
    stopId: row.stop_id,
    deliveryId: row.delivery_id,
    status: row.status,
    requestedAt: row.requested_at,
    acceptedAt: row.accepted_at,
    arrivedAt: row.arrived_at,
    startedAt: row.started_at,
    concludedAt: row.concluded_at,
    endedAt: row.ended_at,
    destination: { lat: row.lat, lng: row.lng },
    destinationAddress: row.address,
    pickup: { lat: row.pickup_lat, lng: row.pickup_lng },
    before: row.before,
    driver:
      row.driver_name === null
        ? null
        : {
            firstName: row.driver_name.trim().split(/\s+/)[0]!,
            vehicle: row.vehicle ?? '',
            plate: row.plate ?? '',
            color: row.color,
          },
    driverAt: lat === null || lng === null || at === null ? null : { position: { lat, lng }, at },
    confirmationCode: row.confirmation_code,
  };
}
