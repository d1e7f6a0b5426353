/*
 * A delivery is late after either of two times: the promised one (promise.ts), and the one by which its current step
 * should be over. Lists, counts and details use these functions, so they agree on which deliveries are late.
 */

/**
 * When the current step of an open delivery should be over, as SQL about a row of deliveries; `centralId` is the
 * parameter of its central. These times are not promised to customers. They show operators which deliveries may need
 * attention, and are generous, because ordinary delays must not be marked.
 */
export const dueAt = (centralId: string, delivery: string): string => `(case ${delivery}.status
  when 'awaiting_release' then coalesce(${delivery}.held_at, ${delivery}.requested_at)
    + interval '${RELEASE_MINUTES} minutes'
  when 'accepted' then ${delivery}.accepted_at + interval '${PICKUP_MINUTES} minutes'
    + make_interval(secs => ${delivery}.driver_to_pickup_metres / ${APPROACH_METRES_PER_SECOND})
  when 'on_hold' then ${delivery}.accepted_at + interval '${HOLD_MINUTES} minutes'
  when 'in_progress' then ${delivery}.started_at + make_interval(secs => ${delivery}.planned_seconds * ${ROAD_SLACK})
    + interval '${STOP_MINUTES} minutes' * (
      select count(*) from stops where central_id = ${centralId} and delivery_id = ${delivery}.id)
  else coalesce(${delivery}.search_since, ${delivery}.requested_at) + interval '${SEARCH_MINUTES} minutes' end)`;

const RELEASE_MINUTES = 10;
const SEARCH_MINUTES = 5;
/** Time to set off and to receive the goods, in addition to the way to the pickup. */
const PICKUP_MINUTES = 12;
/** Straight-line speed of a vehicle in a city. */
const APPROACH_METRES_PER_SECOND = '4.0';
const HOLD_MINUTES = 30;
/** The tolerated factor on the planned travel time, and the time allowed at each stop. */
const ROAD_SLACK = '1.3';
const STOP_MINUTES = 4;

export interface Deadlines {
  dueAt: Temporal.Instant;
  /** Null: created before promises were kept. */
  promisedAt: Temporal.Instant | null;
}

/** Whether one of the two times has passed. COUNT_OPEN has the same condition in SQL. */
export const isLate = ({ dueAt, promisedAt }: Deadlines, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(dueAt, now) < 0 ||
  (promisedAt !== null && Temporal.Instant.compare(promisedAt, now) < 0);

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
