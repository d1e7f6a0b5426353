import { raw, type Sql, sql } from '../../platform/postgres/sql.ts';
import { hasDemands } from '../orders/demandStore.ts';

/*
 * A delivery is late after either of two times: the promised one (promise.ts), and the one by which its current step
 * should be over. The end of the window that a caller gave to a stop counts too, from the moment it passes while the
 * stop is open. Lists, counts and details use these functions, so they agree on which deliveries are late.
 */

const minutes = (count: number): Sql => raw(`interval '${count} minutes'`);

const RELEASE = minutes(10);
const SEARCH = minutes(5);
/** Time to set off and to receive the goods, in addition to the way to the pickup. */
const PICKUP = minutes(12);
/** Straight-line speed of a vehicle in a city. */
const APPROACH_METRES_PER_SECOND = raw('4.0');
const HOLD = minutes(30);
/** The tolerated factor on the planned travel time, and the time allowed at each stop. */
const ROAD_SLACK = raw('1.3');
const AT_STOP = minutes(4);

/** A value of what the open stops of the delivery `d` demand; null where the central has no demands. */
const demanded = (centralId: number, value: Sql): Sql => sql`
  case when ${hasDemands(centralId)} then (
    select ${value} from stops s join stop_demands n on n.central_id = ${centralId} and n.stop_id = s.id
    where s.central_id = ${centralId} and s.delivery_id = d.id and s.concluded_at is null) end`;

/**
 * When the current step of an open delivery should be over, or a stop that was promised should be visited, as SQL about
 * the row `d` of deliveries. The times of steps are not promised to customers. They show operators which deliveries may
 * need attention, and are generous, because ordinary delays must not be marked. A driver waits for goods that are ready
 * later, and for windows that open later.
 */
export const dueAt = (centralId: number): Sql => sql`least((case d.status
  when 'awaiting_release' then coalesce(d.held_at, d.requested_at) + ${RELEASE}
  when 'accepted' then greatest(d.accepted_at + ${PICKUP}
    + make_interval(secs => d.driver_to_pickup_metres / ${APPROACH_METRES_PER_SECOND}),
    ${demanded(centralId, sql`max(n.ready_at) + ${PICKUP}`)})
  when 'on_hold' then d.accepted_at + ${HOLD}
  when 'in_progress' then greatest(d.started_at + make_interval(secs => d.planned_seconds * ${ROAD_SLACK})
    + ${AT_STOP} * (
      select count(*) from stops where central_id = ${centralId} and delivery_id = d.id),
    ${demanded(centralId, sql`max(n.window_from) + ${AT_STOP}`)})
  else coalesce(d.search_since, d.requested_at) + ${SEARCH} end),
  ${demanded(centralId, sql`min(n.window_until)`)})`;

export interface Deadlines {
  /** Null: the delivery is over, and no longer late. */
  dueAt: Temporal.Instant | null;
  /** Null: none was given. */
  promisedAt: Temporal.Instant | null;
}

/** Whether one of the two times has passed. */
export const isLate = ({ dueAt, promisedAt }: Deadlines, now: Temporal.Instant): boolean =>
  dueAt !== null &&
  [dueAt, promisedAt].some((time) => time !== null && Temporal.Instant.compare(time, now) < 0);

/** `isLate` as SQL about the row `d` of an open delivery. */
export const isLateSql = (centralId: number, now: Temporal.Instant): Sql =>
  sql`least(${dueAt(centralId)}, d.promised_at) < ${now}`;

/** Estimates vary by this much from one position to the next. */
const TOLERATED_SECONDS = 60;

/** Whether a delivery that is not late yet is expected at its last stop after the promise. */
export const willBeLate = (
  deadlines: Deadlines,
  expectedAt: Temporal.Instant | null,
  now: Temporal.Instant,
): boolean =>
  expectedAt !== null &&
  deadlines.promisedAt !== null &&
  !isLate(deadlines, now) &&
  deadlines.promisedAt.until(expectedAt).total('seconds') > TOLERATED_SECONDS;
