/*
 * The two times by which a delivery is late: the one that was promised (promise.ts), and the one by which its present
 * step should be over. Lists, counts and details use these functions, so they agree on what is late.
 */

/**
 * Until when the present step of an open delivery should be over, as SQL about a row of deliveries; `centralId` is the
 * parameter of its central. Nobody was promised these times: past them a delivery is late to an operator, who may
 * want to look after it. A rule of thumb, and generous: ordinary delays must
 * not be marked.
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
/** To get going and to be handed the goods, beside the way there. */
const PICKUP_MINUTES = 12;
/** As the crow flies, on a vehicle in a city. */
const APPROACH_METRES_PER_SECOND = '4.0';
const HOLD_MINUTES = 30;
/** How much longer than planned the way may take, and how long a person at the door. */
const ROAD_SLACK = '1.3';
const STOP_MINUTES = 4;

export interface Deadlines {
  dueAt: Temporal.Instant;
  /** Null: created before promises were kept. */
  promisedAt: Temporal.Instant | null;
}

/** One of its times has passed. COUNT_OPEN says the same in SQL. */
export const isLate = ({ dueAt, promisedAt }: Deadlines, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(dueAt, now) < 0 ||
  (promisedAt !== null && Temporal.Instant.compare(promisedAt, now) < 0);

/** Estimates sway by as much from one position to the next. */
const TOLERATED_SECONDS = 60;

/** Not late yet, and expected at its last stop after the promise. */
export const willBeLate = (
  deadlines: Deadlines,
  expectedAt: Temporal.Instant | null,
  now: Temporal.Instant,
): boolean =>
  expectedAt !== null &&
  deadlines.promisedAt !== null &&
  !isLate(deadlines, now) &&
  deadlines.promisedAt.until(expectedAt).total('seconds') > TOLERATED_SECONDS;
