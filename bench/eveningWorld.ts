import type { TravelMatrix } from '../server/src/dispatch/planning/planProblem.ts';
import { straightLineRouter } from '../server/src/geo/routing/straightLine.ts';
import { METRES_PER_DEGREE, type Position } from '../server/src/platform/kernel/position.ts';
import { randomFrom } from '../server/src/platform/kernel/random.ts';

/** An evening whose orders and drivers are known to the simulation, not to those who dispatch. Seconds of the day. */
export interface Evening {
  points: readonly Position[];
  matrix: TravelMatrix;
  orders: readonly EveningOrder[];
  /** Where each driver begins, as an index into `points`. */
  drivers: readonly number[];
  begin: number;
  end: number;
}

export interface EveningOrder {
  id: number;
  shop: number;
  pickup: number;
  drops: readonly number[];
  /** From here on it can be dispatched. */
  knownAt: number;
  readyAt: number;
  /** For every drop. */
  promisedAt: number;
}

export const PICKUP_SECONDS = 120;
export const DROP_SECONDS = 180;

/** A stop as it happened. */
export interface EveningStop {
  driver: number;
  order: number;
  /** 0 is the pickup. */
  stop: number;
  from: number;
  place: number;
  departAt: number;
  beginAt: number;
  leaveAt: number;
}

const SHOPS = 30;
const DRIVERS = 40;
const HOUR = 3600;
const CENTRE = { lat: -30.04, lng: -51.21 };
/** A shop calls for a driver so long before the goods are ready. */
const KNOWN_BEFORE_SECONDS = 300;

/** From 18:00 to 23:00, most orders around 20:00, promised 35 to 55 minutes after they are ready. */
export async function eveningOf(count: number, seed: number): Promise<Evening> {
  const random = randomFrom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const near = (centre: Position, metres: number): Position => ({
    lat: centre.lat + (normal() * metres) / METRES_PER_DEGREE,
    lng: centre.lng + (normal() * metres) / (METRES_PER_DEGREE * Math.cos((centre.lat * Math.PI) / 180)),
  });
  const points: Position[] = [];
  const placeOf = (position: Position): number => points.push(position) - 1;
  const shops = Array.from({ length: SHOPS }, () => placeOf(near(CENTRE, 2500)));
  const drivers = Array.from({ length: DRIVERS }, () => placeOf(near(CENTRE, 3000)));
  const orders = Array.from({ length: count }, (_, id): EveningOrder => {
    const shop = Math.floor(random() ** 1.5 * SHOPS);
    const ready = Math.min(22.75, Math.max(18.1, 20 + normal()));
    const readyAt = Math.round(ready * HOUR);
    const drops = random() < 0.9 ? 1 : 2;
    return {
      ...{ id, shop, pickup: shops[shop]!, readyAt },
      drops: Array.from({ length: drops }, () => placeOf(near(points[shops[shop]!]!, 2200))),
      knownAt: readyAt - KNOWN_BEFORE_SECONDS,
      promisedAt: readyAt + Math.round(35 + random() * 20) * 60,
    };
  }).sort((a, b) => a.knownAt - b.knownAt || a.id - b.id);
  const matrix = await straightLineRouter().matrix(points, 'motorcycle');
  return { points, matrix, orders, drivers, begin: 18 * HOUR, end: 23 * HOUR };
}

/** What an evening came to. */
export interface EveningResult {
  delivered: number;
  lateOrders: number;
  lateSeconds: number;
  /** Driving, serving and waiting, from leaving for a stop to its end. */
  driverSeconds: number;
  metres: number;
  ordersPerDriverHour: number;
  /** Drivers who delivered anything. */
  drivers: number;
  /** Standard deviation and range of what the drivers earn, those without orders included. In cents. */
  payDeviation: number;
  payLeast: number;
  payMost: number;
  lastAt: number;
}

/** A share that a central may pay: a fixed part, each kilometre from the pickup on, each stop. In cents. */
const PAY = { base: 500, perKm: 100, perStop: 100 };

/** An order pays the same whoever carries it, and whatever else is aboard. */
function payOf(order: EveningOrder, { metres }: TravelMatrix): number {
  const way = [order.pickup, ...order.drops];
  const length = way.slice(1).reduce((sum, to, at) => sum + metres[way[at]!]![to]!, 0);
  return PAY.base + (PAY.perKm * length) / 1000 + PAY.perStop * order.drops.length;
}

export function sumUp(evening: Evening, stops: readonly EveningStop[]): EveningResult {
  const orderOf = new Map(evening.orders.map((order) => [order.id, order]));
  const late = new Map<number, number>();
  const pay = evening.drivers.map(() => 0);
  const carriers = new Map<number, number>();
  let driverSeconds = 0;
  let metres = 0;
  for (const { driver, order, stop, from, place, departAt, beginAt, leaveAt } of stops) {
    driverSeconds += leaveAt - departAt;
    metres += from === place ? 0 : evening.matrix.metres[from]![place]!;
    carriers.set(order, driver);
    if (stop === 0) continue;
    const over = Math.max(0, beginAt - orderOf.get(order)!.promisedAt);
    late.set(order, (late.get(order) ?? 0) + over);
  }
  for (const [order, driver] of carriers) pay[driver]! += payOf(orderOf.get(order)!, evening.matrix);
  const mean = pay.reduce((a, b) => a + b, 0) / pay.length;
  const lates = [...late.values()];
  return {
    delivered: late.size,
    lateOrders: lates.filter((seconds) => seconds > 1).length,
    lateSeconds: lates.reduce((a, b) => a + b, 0),
    driverSeconds,
    metres,
    ordersPerDriverHour: (late.size * HOUR) / driverSeconds,
    drivers: new Set(carriers.values()).size,
    payDeviation: Math.sqrt(pay.reduce((sum, each) => sum + (each - mean) ** 2, 0) / pay.length),
    payLeast: Math.min(...pay),
    payMost: Math.max(...pay),
    lastAt: Math.max(...stops.map(({ leaveAt }) => leaveAt)),
  };
}

/** What is wrong with the stops of an evening: nobody is in two places, no order waits for ever or is taken twice. */
export function eveningFaults(evening: Evening, stops: readonly EveningStop[]): string[] {
  const faults: string[] = [];
  for (const order of evening.orders) {
    const own = stops.filter((stop) => stop.order === order.id).sort((a, b) => a.beginAt - b.beginAt);
    const served = own.map(({ stop }) => stop);
    if (served[0] !== 0 || new Set(served).size !== served.length || served.length !== order.drops.length + 1)
      faults.push(`order ${order.id} has the stops ${served.join(', ')}`);
    if (new Set(own.map(({ driver }) => driver)).size > 1) faults.push(`order ${order.id} has two drivers`);
    if (own[0] && own[0].beginAt < order.readyAt) faults.push(`order ${order.id} was not ready`);
    if (own[0] && own[0].departAt < order.knownAt) faults.push(`order ${order.id} was not known`);
  }
  for (const [driver, start] of evening.drivers.entries()) {
    let place = start;
    let time = 0;
    const own = stops.filter((stop) => stop.driver === driver).sort((a, b) => a.departAt - b.departAt);
    for (const stop of own) {
      const travel = evening.matrix.seconds[place]![stop.place]!;
      if (stop.from !== place || stop.departAt < time - 1e-6 || stop.beginAt < stop.departAt + travel - 1e-6)
        faults.push(`driver ${driver} cannot be at stop ${stop.stop} of order ${stop.order}`);
      place = stop.place;
      time = stop.leaveAt;
    }
  }
  return faults;
}
