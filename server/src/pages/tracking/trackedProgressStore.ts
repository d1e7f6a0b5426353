import type { Status } from '../../deliveries/status.ts';
import type { Tx } from '../../postgres/database.ts';
import { showsDriver, type TrackedProgress } from './trackedProgress.ts';

interface ProgressRow {
  central_id: number;
  carried_by: number;
  ordered_with: number;
  status: Status;
  is_at_pickup: boolean;
  driver_id: number | null;
  before: number;
  concluded_at: Temporal.Instant | null;
  lat: number | null;
  lng: number | null;
  at: Temporal.Instant | null;
}

/** The token alone opens the door, as in tracking/trackedJourneyStore.ts. */
export async function findProgress(tx: Tx, token: string): Promise<TrackedProgress | undefined> {
  const [row] = await tx<ProgressRow>`
    select s.central_id, s.delivery_id as carried_by, s.ordered_with, d.status, d.driver_id, s.concluded_at,
      d.status = 'accepted' and d.arrived_at is not null as is_at_pickup,
      (select count(*) from stops b where b.central_id = s.central_id and b.delivery_id = s.delivery_id
        and b.position < s.position and b.concluded_at is null) as before,
      p.lat, p.lng, p.at
    from stops s
    join deliveries d on d.central_id = s.central_id and d.id = s.delivery_id
    join centrals c on c.id = s.central_id and c.active
    left join driver_positions p on p.central_id = d.central_id and p.driver_id = d.driver_id
    where s.tracking_token = ${token}`;
  return row && toProgress(row);
}

function toProgress(row: ProgressRow): TrackedProgress {
  const { lat, lng, at } = row;
  const progress = {
    centralId: row.central_id,
    carriedBy: row.carried_by,
    orderedWith: row.ordered_with,
    status: row.status,
    isAtPickup: row.is_at_pickup,
    driverId: row.driver_id,
    before: row.before,
    concludedAt: row.concluded_at,
    driverAt: lat === null || lng === null || at === null ? null : { position: { lat, lng }, at },
  };
  return showsDriver(progress) ? progress : { ...progress, driverAt: null };
}
