/*
 * What a customer may expect of a delivery: when its last stop is handed over at the latest. It is fixed when the
 * delivery is created (of a scheduled one: dispatched) and kept in deliveries.promised_at. Grouping it with others, a
 * search that takes long or a plan that is made anew does not change what was promised.
 *
 * The estimate of the way, a while for the driver to be found, to come to the pickup and to be handed the goods, and a
 * while at each stop after the first. A delivery is on time if its last stop was handed over by then; live ones are
 * compared with the same column.
 */
const UNTIL_COLLECTED_SECONDS = 20 * 60;
const AT_STOP_SECONDS = 3 * 60;

/** The promise as SQL; the arguments are SQL for the moment of the creation, the planned seconds and the stops. */
export const promisedAtSql = (requestedAt: string, plannedSeconds: string, stops: string): string =>
  `${requestedAt}::timestamptz + make_interval(secs => ${UNTIL_COLLECTED_SECONDS} + ${plannedSeconds}::integer
    + ${AT_STOP_SECONDS} * greatest(${stops}::integer - 1, 0))`;
