import type { FreeDriver, Searching } from '../server/src/dispatch/rounds/distributionStore.ts';
import { matchDrivers } from '../server/src/dispatch/rounds/matchDrivers.ts';
import { straightLineRouter } from '../server/src/geo/routing/straightLine.ts';
import { bestStopOrder } from '../server/src/money/pricing/stopOrder.ts';
import {
  DROP_SECONDS,
  type Evening,
  type EveningOrder,
  type EveningStop,
  PICKUP_SECONDS,
} from './eveningWorld.ts';

/** As the settings of a central are at first. */
const REACH = { metresMax: 12_000, nextPickupMetresMax: 1_000, limit: 6 };
/** From the offer to its acceptance. */
const ANSWER_SECONDS = 10;
const SEARCH_AGAIN_SECONDS = 15;

interface DriverState {
  id: number;
  place: number;
  /** When the last order taken ends. */
  freeAt: number;
  /** Its company, and when it was begun. Orders are taken in turn, at most one ahead. */
  carrying: { order: EveningOrder; beginAt: number } | null;
  hasNext: boolean;
}

/**
 * The evening with automatic offers as the service makes them: orders are matched with free drivers, and with those who
 * carry one order of the same company that ends nearby. Every offer is accepted.
 */
export async function runToday(evening: Evening): Promise<EveningStop[]> {
  const stops: EveningStop[] = [];
  const states = evening.drivers.map(
    (place, id): DriverState => ({ id, place, freeAt: 0, carrying: null, hasNext: false }),
  );
  let waiting: EveningOrder[] = [];
  let next = 0;
  for (let now = evening.begin; next < evening.orders.length || waiting.length > 0; ) {
    while (next < evening.orders.length && evening.orders[next]!.knownAt <= now)
      waiting.push(evening.orders[next++]!);
    for (const state of states)
      if (state.carrying && state.freeAt <= now) {
        state.carrying = null;
        state.hasNext = false;
      }
    const matches = await match(evening, waiting, states, now);
    for (const [order, state] of matches) take(evening, order, state, now + ANSWER_SECONDS, stops);
    const taken = new Set(matches.keys());
    waiting = waiting.filter((order) => !taken.has(order));
    now = nextEvent(evening, next, waiting, states, now);
  }
  return stops;
}

function nextEvent(
  { orders }: Evening,
  next: number,
  waiting: readonly EveningOrder[],
  states: readonly DriverState[],
  now: number,
): number {
  const times = [
    orders[next]?.knownAt ?? Number.POSITIVE_INFINITY,
    ...(waiting.length === 0
      ? []
      : [
          now + SEARCH_AGAIN_SECONDS,
          ...states.flatMap(({ carrying, freeAt }) => (carrying ? [freeAt] : [])),
        ]),
  ];
  return Math.max(now + 1, Math.min(...times.filter((time) => time > now)));
}

async function match(
  { points }: Evening,
  waiting: readonly EveningOrder[],
  states: readonly DriverState[],
  now: number,
): Promise<Map<EveningOrder, DriverState>> {
  const instant = (seconds: number): Temporal.Instant =>
    Temporal.Instant.fromEpochMilliseconds(Math.round(seconds * 1000));
  const orderOf = new Map(waiting.map((order) => [order.id, order]));
  const searching = waiting.map(
    ({ id, shop, pickup, knownAt }): Searching => ({
      ...{ id, companyId: shop, categoryId: 1, profile: 'motorcycle', pickup: points[pickup]! },
      ...{ searchSince: instant(knownAt), status: 'pending', asked: [], demands: null },
    }),
  );
  const free = states
    .filter(({ hasNext }) => !hasNext)
    .map(
      ({ id, place, freeAt, carrying }): FreeDriver => ({
        ...{ id, categoryIds: [1], companyIds: [], from: points[place]!, capacity: null, calendar: null },
        carrying: carrying && {
          deliveryId: carrying.order.id,
          companyId: carrying.order.shop,
          secondsLeft: freeAt - now,
        },
      }),
    );
  if (searching.length === 0 || free.length === 0) return new Map();
  const matching = { reach: REACH, offersAtOnce: 1, now: instant(now) };
  const matches = await matchDrivers(straightLineRouter(), searching, free, matching);
  return new Map(
    matches.flatMap(({ delivery, drivers: [driver] }) =>
      driver ? [[orderOf.get(delivery.id)!, states[driver.id]!] as const] : [],
    ),
  );
}

/** The driver does the whole order after the one it carries, its drops in the best order. */
function take(
  { matrix: { seconds } }: Evening,
  order: EveningOrder,
  state: DriverState,
  now: number,
  stops: EveningStop[],
): void {
  const best = bestStopOrder(seconds, { start: order.pickup, stops: order.drops })!;
  state.hasNext = state.carrying !== null;
  state.carrying = { order, beginAt: now };
  let time = Math.max(now, state.freeAt);
  const visit = (place: number, stop: number, earliest: number, service: number): void => {
    const departAt = time;
    const beginAt = Math.max(earliest, departAt + seconds[state.place]![place]!);
    time = beginAt + service;
    const from = state.place;
    stops.push({ driver: state.id, order: order.id, stop, from, place, departAt, beginAt, leaveAt: time });
    state.place = place;
  };
  visit(order.pickup, 0, order.readyAt, PICKUP_SECONDS);
  for (const at of best.order) visit(order.drops[at]!, at + 1, 0, DROP_SECONDS);
  state.freeAt = time;
}
