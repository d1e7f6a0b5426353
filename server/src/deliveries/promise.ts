/*
 * The promise to the customer: the latest time at which the last stop of a delivery is handed over. It is fixed when
 * the delivery is created (for a scheduled one: dispatched) and stored in deliveries.promised_at. A grouping, a long
 * search or a new plan does not change it.
 *
 * It is the sum of the planned travel time, an allowance to find a driver, reach the pickup and receive the goods, and
 * an allowance for each stop after the first. A delivery is on time if its last stop was handed over by then. Open
 * deliveries are compared with the same column.
 */
const UNTIL_COLLECTED_SECONDS = 20 * 60;
const AT_STOP_SECONDS = 3 * 60;

/** The promise as SQL. The arguments are SQL for the time of creation, the planned seconds and the number of stops. */
export const promisedAtSql = (requestedAt: string, plannedSeconds: string, stops: string): string =>
  `${requestedAt}::timestamptz + make_interval(secs => ${UNTIL_COLLECTED_SECONDS} + ${plannedSeconds}::integer
    + ${AT_STOP_SECONDS} * greatest(${stops}::integer - 1, 0))`;
