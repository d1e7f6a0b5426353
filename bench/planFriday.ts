import type {
  Plan,
  PlanDriver,
  PlanProblem,
  PlanRequest,
} from '../server/src/dispatch/planning/planProblem.ts';
import { straightLineRouter } from '../server/src/geo/routing/straightLine.ts';
import { METRES_PER_DEGREE, type Position } from '../server/src/platform/kernel/position.ts';
import { randomFrom } from '../server/src/platform/kernel/random.ts';

const SHOPS = 30;
const DRIVERS = 40;
const CENTRE = { lat: -30.04, lng: -51.21 };

/**
 * A Friday from 10:00 to 23:00: 30 shops, most orders at noon and in the evening, promised within 45 to 75 minutes of
 * being ready. Some orders are large or need a thermal box; some drivers work half a day or have a break.
 */
export async function fridayOf(orders: number, seed = 5): Promise<PlanProblem> {
  const random = randomFrom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const near = (centre: Position, metres: number): Position => ({
    lat: centre.lat + (normal() * metres) / METRES_PER_DEGREE,
    lng: centre.lng + (normal() * metres) / (METRES_PER_DEGREE * Math.cos((centre.lat * Math.PI) / 180)),
  });
  const points: Position[] = [];
  const placeOf = (position: Position): number => points.push(position) - 1;
  const shops = Array.from({ length: SHOPS }, () => ({
    place: placeOf(near(CENTRE, 2500)),
    hot: random() < 0.3,
  }));
  const hour = 3600;
  const drivers = Array.from({ length: DRIVERS }, (_, id): PlanDriver => {
    const shift =
      id % 4 === 0 ? { from: 10, to: 17 } : id % 4 === 1 ? { from: 16.5, to: 24 } : { from: 10, to: 24 };
    return {
      id,
      start: placeOf(near(CENTRE, 3000)),
      shift: { from: shift.from * hour, to: shift.to * hour },
      breaks: id % 4 > 1 ? [{ from: (14.5 + (id % 8) / 4) * hour, to: (15.5 + (id % 8) / 4) * hour }] : [],
      capacity: [id % 10 === 0 ? 60 : 25, id % 10 === 0 ? 400 : 90, 8],
      skills: id % 2 === 0 ? ['thermal box'] : [],
    };
  });
  const requests = Array.from({ length: orders }, (_, id): PlanRequest => {
    const shop = shops[Math.floor(random() ** 1.5 * SHOPS)]!;
    const at = random() < 0.45 ? 12 + normal() * 0.8 : 19.5 + normal() * 1.2;
    const readyAt = Math.round(Math.min(22, Math.max(10.25, at)) * hour);
    const drops = random() < 0.9 ? 1 : 2 + Math.floor(random() * 2);
    const weight = random() < 0.05 ? 12 : 1 + Math.floor(random() * 4);
    return {
      id,
      pickup: { place: shop.place, readyAt, serviceSeconds: 120 },
      drops: Array.from({ length: drops }, () => ({
        place: placeOf(near(points[shop.place]!, 2200)),
        serviceSeconds: 180,
        window: { latest: readyAt + Math.round(45 + random() * 30) * 60, isHard: false },
        amounts: [weight, weight * 3, 1],
      })),
      skills: shop.hot ? ['thermal box'] : [],
      priority: random() < 0.05 ? 1 : 0,
    };
  });
  const matrix = await straightLineRouter().matrix(points, 'motorcycle');
  return { matrix, requests, drivers };
}

/** The nearest free driver for one order at a time, when it is ready: what a dispatch without planning does. */
export function greedyDay(problem: PlanProblem): {
  lateSeconds: number;
  driverSeconds: number;
  unserved: number;
} {
  const { matrix, requests, drivers } = problem;
  const states = drivers.map((driver) => ({ driver, at: driver.start, freeAt: driver.shift.from }));
  let lateSeconds = 0;
  let driverSeconds = 0;
  let unserved = 0;
  for (const request of [...requests].sort((a, b) => a.pickup!.readyAt! - b.pickup!.readyAt!)) {
    const { pickup } = request;
    const way = (from: number, to: number): number => matrix.seconds[from]![to]!;
    const able = states.filter(({ driver }) => isAble(driver, request));
    const trips = able.map((state) => {
      const leave = afterBreaks(
        state.driver,
        Math.max(state.freeAt, pickup!.readyAt! - way(state.at, pickup!.place)),
      );
      let time = Math.max(leave + way(state.at, pickup!.place), pickup!.readyAt!) + pickup!.serviceSeconds;
      let at = pickup!.place;
      let late = 0;
      for (const drop of nearestFirst(request, matrix.seconds)) {
        time += way(at, drop.place);
        late += Math.max(0, time - drop.window!.latest!);
        time += drop.serviceSeconds;
        at = drop.place;
      }
      return { state, leave, end: time, at, late, away: way(state.at, pickup!.place) };
    });
    const possible = trips.filter(({ state, end }) => end <= state.driver.shift.to);
    // Free when the order is ready; otherwise who would be there first.
    const free = possible.filter(({ leave, away }) => leave + away <= pickup!.readyAt! + 60);
    const [trip] = (free.length > 0 ? free : possible).sort(
      (a, b) =>
        (free.length > 0 ? a.away - b.away : a.leave + a.away - (b.leave + b.away)) ||
        a.state.driver.id - b.state.driver.id,
    );
    if (!trip) {
      unserved += 1;
      continue;
    }
    lateSeconds += trip.late;
    driverSeconds += trip.end - trip.leave;
    trip.state.at = trip.at;
    trip.state.freeAt = trip.end;
  }
  return { lateSeconds, driverSeconds, unserved };
}

const isAble = (driver: PlanDriver, { skills = [], drops }: PlanRequest): boolean =>
  skills.every((skill) => driver.skills?.includes(skill)) &&
  driver.capacity.every((most, k) => drops.reduce((sum, { amounts }) => sum + amounts[k]!, 0) <= most);

/** Greedy does not begin an order in a break, nor within the half hour before one. */
function afterBreaks({ breaks = [] }: PlanDriver, leave: number): number {
  return breaks.reduce((time, { from, to }) => (time < to && time > from - 1800 ? to : time), leave);
}

function nearestFirst({ pickup, drops }: PlanRequest, seconds: PlanProblem['matrix']['seconds']) {
  const left = [...drops];
  const order: typeof left = [];
  for (let at = pickup!.place; left.length > 0; at = order.at(-1)!.place) {
    left.sort((a, b) => seconds[at]![a.place]! - seconds[at]![b.place]!);
    order.push(left.shift()!);
  }
  return order;
}

export const driverSecondsOf = ({ cost }: Plan): number =>
  cost.travelSeconds + cost.serviceSeconds + cost.waitingSeconds;
