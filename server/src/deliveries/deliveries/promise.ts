import { raw, type Sql, sql } from '../../platform/postgres/sql.ts';
import type { Demands } from '../orders/demands.ts';

/*
 * The promise to the customer: the latest time at which the last stop of a delivery is handed over. It is fixed when
 * the delivery is created (for a scheduled one: dispatched) and stored in deliveries.promised_at. A grouping, a long
 * search or a new plan does not change it.
 *
 * Callers may promise each stop themselves (the end of its window). If they promise all, the latest of these replaces the
 * formula; if some, the later of both counts. Lateness also looks at each of these stops (deadlineStore.ts).
 *
 * The formula is the sum of the planned travel time, an allowance to find a driver, reach the pickup and receive the goods, and
 * an allowance for each stop after the first. A delivery is on time if its last stop was handed over by then. Open
 * deliveries are compared with the same column.
 */
const UNTIL_COLLECTED_SECONDS = 20 * 60;
const AT_STOP_SECONDS = 3 * 60;

interface Demanding {
  demands: Demands | null;
}

/** What callers promised for the stops: how many of them, and the latest. */
export function givenPromises(stops: readonly Demanding[]): {
  count: number;
  latest: Temporal.Instant | null;
} {
  const given = stops.flatMap(({ demands }) => demands?.windowUntil ?? []);
  return { count: given.length, latest: given.toSorted(Temporal.Instant.compare).at(-1) ?? null };
}

/**
 * The first and the last moment at which the last stop of a delivery that is not ordered yet may be handed over. What
 * the caller promises comes in place of the central's promise, as in `promisedWith`.
 */
export function promisedRange(
  setsOffAt: Temporal.Instant,
  plannedSeconds: number,
  stops: readonly Demanding[],
): { from: Temporal.Instant; until: Temporal.Instant } {
  const formula = setsOffAt.add({
    seconds: UNTIL_COLLECTED_SECONDS + plannedSeconds + AT_STOP_SECONDS * Math.max(stops.length - 1, 0),
  });
  const { count, latest } = givenPromises(stops);
  const isGiven = latest && (count === stops.length || Temporal.Instant.compare(latest, formula) > 0);
  return { from: setsOffAt.add({ seconds: plannedSeconds }), until: isGiven ? latest : formula };
}

/** The promise as SQL. Each argument is a value or SQL: the time of creation, the planned seconds, the number of stops. */
export const promisedAt = (
  requestedAt: Temporal.Instant | Sql,
  plannedSeconds: number | Sql,
  stops: number | Sql,
): Sql =>
  sql`${requestedAt}::timestamptz + make_interval(secs => ${raw(String(UNTIL_COLLECTED_SECONDS))} + ${plannedSeconds}::integer
    + ${raw(String(AT_STOP_SECONDS))} * greatest(${stops}::integer - 1, 0))`;

/**
 * The promise as SQL where callers may have promised stops: their number and the latest of these, null if there is none.
 * Arguments as of `promisedAt`.
 */
export const promisedWith = (
  given: { count: Sql; latest: Sql },
  requestedAt: Temporal.Instant | Sql,
  plannedSeconds: number | Sql,
  stops: Sql,
): Sql => sql`case when ${given.count} = ${stops} then ${given.latest}
    else greatest(${promisedAt(requestedAt, plannedSeconds, stops)}, ${given.latest}) end`;
