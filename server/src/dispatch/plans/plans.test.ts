import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run } from '../../deliveries/deliveries/driverWorkStore.ts';
import { type Demands, NO_DEMANDS } from '../../deliveries/orders/demands.ts';
import type { Matrix } from '../../geo/routing/router.ts';
import { straightLineRouter } from '../../geo/routing/straightLine.ts';
import { haversineMetres, type Position } from '../../platform/kernel/position.ts';
import { randomFrom } from '../../platform/kernel/random.ts';
import { planFaults } from '../planning/checkPlan.ts';
import { planRoutes } from '../planning/planRoutes.ts';
import { makeProblem } from './makeProblem.ts';
import { placesOf } from './places.ts';
import type { StoredPlan, StoredRoute } from './plan.ts';
import { planAsNow } from './planAsNow.ts';
import type { PlacedDriver, Situation } from './situation.ts';
import type { PlannableOrder } from './situationStore.ts';
import { storePlan } from './storePlan.ts';

const NOW = Temporal.Instant.from('2026-11-16T15:00:00Z');
const AT = NOW.epochMilliseconds / 1000;
const later = (minutes: number): Temporal.Instant => NOW.add({ seconds: Math.round(minutes * 60) });

/** Deliveries with one to three stops, some with returns, windows, weights and locks, for drivers with other work. */
function randomSituation(seed: number): Situation {
  const random = randomFrom(seed);
  const upTo = (most: number): number => Math.floor(random() * most);
  const chance = (share: number): boolean => random() < share;
  const somewhere = (): Position => ({ lat: -30.03 - random() * 0.04, lng: -51.19 - random() * 0.04 });
  const shops = Array.from({ length: 3 }, somewhere);
  const demands = new Map<number, Demands>();
  let stopId = 0;
  const newStop = () => ({ id: ++stopId, ...somewhere() });

  const drivers = Array.from({ length: 2 + upTo(4) }, (_, index): PlacedDriver => {
    const minute = 12 * 60;
    const shift = {
      from: minute - 60,
      until: minute + 60 + upTo(120),
      breaks: chance(0.5) ? [{ from: minute + 20, until: minute + 35 }] : [],
    };
    return {
      id: index + 1,
      active: true,
      available: true,
      isAsked: false,
      position: somewhere(),
      categoryIds: chance(0.8) ? [1, 2] : [1],
      companyIds: chance(0.2) ? [7] : [],
      capacity: chance(0.7)
        ? {
            weightGrams: 4000 + upTo(6000),
            volumeMl: null,
            packages: 4,
            equipment: chance(0.5) ? ['box'] : [],
          }
        : null,
      calendar: chance(0.5) ? { week: [{ weekday: 1, ...shift }], days: [] } : null,
    };
  });
  const orders = Array.from({ length: 4 + upTo(10) }, (_, index): PlannableOrder => {
    const stops = Array.from({ length: 1 + upTo(3) }, newStop);
    for (const { id } of stops) {
      if (chance(0.4)) continue;
      const windowFrom = chance(0.2) ? later(upTo(60)) : null;
      const windowUntil = chance(0.5) ? later(61 + upTo(60)) : null;
      demands.set(id, {
        ...NO_DEMANDS,
        windowFrom,
        windowUntil,
        windowIsHard: windowUntil !== null && chance(0.6),
        weightGrams: chance(0.5) ? 500 + upTo(4000) : null,
        packages: chance(0.3) ? 1 + upTo(2) : null,
        equipment: chance(0.2) ? ['box'] : null,
        serviceSeconds: chance(0.2) ? 60 * upTo(8) : null,
        readyAt: chance(0.3) ? later(upTo(40)) : null,
      });
    }
    return {
      id: index + 100,
      status: 'distributing',
      isGrouped: false,
      companyId: chance(0.5) ? 7 : chance(0.5) ? 8 : null,
      categoryId: 1 + upTo(2),
      profile: 'motorcycle',
      driverId: null,
      hasArrived: false,
      returning: chance(0.2),
      pickup: shops[upTo(shops.length)]!,
      promisedAt: later(40 + upTo(60)),
      waitingSince: later(-index),
      stops,
      refusedBy: chance(0.2) ? [1] : [],
      ignoredBy: [],
      mark: 'mark',
    };
  });
  const runs = drivers
    .filter(() => chance(0.4))
    .map(({ id }, index): Run => {
      const stops = [newStop(), newStop()];
      return {
        id: index + 500,
        driverId: id,
        status: chance(0.5) ? 'in_progress' : 'accepted',
        hasArrived: false,
        pickup: shops[0]!,
        pickupAddress: '',
        returning: false,
        plannedSeconds: 900,
        stops: stops.map((stop, at) => ({ ...stop, address: '', concluded: at === 0 && chance(0.3) })),
      };
    });
  return {
    now: NOW,
    timeZone: 'America/Sao_Paulo',
    orders,
    drivers,
    runs,
    promises: new Map(runs.map(({ id }) => [id, later(30)])),
    demands,
    capacities: new Map([[2, { weightGrams: 9000, volumeMl: null, packages: null, equipment: null }]]),
    locks: chance(0.5) ? new Map([[orders[0]!.id, drivers[0]!.id]]) : new Map(),
    isAutomatic: false,
    aboardMax: 1 + upTo(3),
  };
}

async function planOf(situation: Situation, iterations = 60) {
  const places = placesOf(situation);
  const matrix = await straightLineRouter().matrix(places.positions, 'motorcycle');
  const problem = makeProblem(situation, places, matrix);
  const after = planRoutes(problem.problem, { iterations, seed: 3 });
  const before = planAsNow(
    problem.problem,
    situation.orders.map(({ id }) => id),
  );
  return {
    matrix,
    places,
    problem,
    after,
    before,
    stored: storePlan(situation, problem, { before, after }, []),
  };
}

/** What a stored plan breaks, told from the situation alone. */
function faultsOf(situation: Situation, plan: StoredPlan, wayOf: (from: Position, to: Position) => number) {
  const faults: string[] = [];
  const given = plan.routes.flatMap(({ orders }) => orders.map(({ deliveryId }) => deliveryId));
  const named = [...given, ...plan.leftOut.map(({ deliveryId }) => deliveryId)].sort((a, b) => a - b);
  if (named.join() !== situation.orders.map(({ id }) => id).join()) faults.push(`given or named: ${named}`);
  for (const route of plan.routes) faults.push(...faultsOfRoute(situation, route, wayOf));
  return faults;
}

function faultsOfRoute(
  { orders, drivers, runs, demands, locks, aboardMax, timeZone }: Situation,
  route: StoredRoute,
  wayOf: (from: Position, to: Position) => number,
): string[] {
  const faults: string[] = [];
  const driver = drivers.find(({ id }) => id === route.driverId)!;
  const weightOf = (id: number): number => demands.get(id)?.weightGrams ?? 0;
  const own = runs.filter(({ driverId }) => driverId === driver.id);
  let weight = own
    .filter(({ status }) => status === 'in_progress')
    .flatMap(({ stops }) => stops.filter(({ concluded }) => !concluded))
    .reduce((sum, { id }) => sum + weightOf(id), 0);
  let [here, free] = [driver.position, AT];
  for (const stop of route.stops) {
    const order = [...orders, ...own].find(({ id }) => id === stop.deliveryId)!;
    const place = stop.kind === 'stop' ? order.stops.find(({ id }) => id === stop.stopId)! : order.pickup;
    const what = `${stop.kind} ${stop.stopId} of ${stop.deliveryId}`;
    if (stop.beginAt < free + wayOf(here, place) - 1)
      faults.push(`${what} begins before the driver can be there`);
    [here, free] = [place, stop.leaveAt];
    if (stop.kind === 'pickup') weight += order.stops.reduce((sum, { id }) => sum + weightOf(id), 0);
    if (stop.kind === 'stop') weight -= weightOf(stop.stopId!);
    if (stop.isFixed) continue;
    if (stop.kind === 'pickup') {
      if (stop.aboard > Math.max(aboardMax, own.length)) faults.push(`${what}: ${stop.aboard} aboard`);
      const most = driver.capacity?.weightGrams;
      if (most && weight > most) faults.push(`${what}: ${weight} of ${most} grams`);
      for (const { id } of order.stops) {
        const readyAt = demands.get(id)?.readyAt;
        if (readyAt && stop.beginAt < readyAt.epochMilliseconds / 1000) faults.push(`${what} is not ready`);
        const needs = demands.get(id)?.equipment ?? [];
        if (driver.capacity && !needs.every((each) => driver.capacity!.equipment!.includes(each)))
          faults.push(`${what} needs ${needs}`);
      }
      if (locks.has(order.id) && locks.get(order.id) !== driver.id) faults.push(`${what} is locked`);
    }
    const demanded = stop.stopId === null ? undefined : demands.get(stop.stopId);
    if (demanded?.windowFrom && stop.beginAt < demanded.windowFrom.epochMilliseconds / 1000 - 1)
      faults.push(`${what} is too early`);
    if (demanded?.windowIsHard && stop.beginAt > demanded.windowUntil!.epochMilliseconds / 1000 + 1)
      faults.push(`${what} misses its hard window`);
    const time = (at: number): number => {
      const clock = Temporal.Instant.fromEpochMilliseconds(Math.round(at * 1000)).toZonedDateTimeISO(
        timeZone,
      );
      return clock.hour * 60 + clock.minute + clock.second / 60;
    };
    for (const shift of driver.calendar?.week ?? []) {
      if (time(stop.leaveAt) > shift.until + 0.02) faults.push(`${what} ends after the shift`);
      for (const rest of shift.breaks)
        if (time(stop.beginAt) < rest.until - 0.02 && time(stop.leaveAt) > rest.from + 0.02)
          faults.push(`${what} is in a break`);
    }
  }
  return faults;
}

test('a plan breaks no hard window, capacity, shift, break or lock, and gives or names each delivery once', async () => {
  let given = 0;
  let leftOut = 0;
  for (let seed = 1; seed <= 60; seed += 1) {
    const situation = randomSituation(seed);
    const { matrix, places, problem, after, before, stored } = await planOf(situation);
    const wayOf = (from: Position, to: Position): number =>
      (matrix as Matrix).seconds[places.placeOf(from)]![places.placeOf(to)]!;
    assert.deepEqual(planFaults(problem.problem, after), [], `seed ${seed}`);
    assert.deepEqual(planFaults(problem.problem, before), [], `seed ${seed}, as now`);
    assert.deepEqual(faultsOf(situation, stored, wayOf), [], `seed ${seed}`);
    given += stored.routes.flatMap(({ orders }) => orders).length;
    leftOut += stored.leftOut.length;
  }
  // Otherwise nothing was put to the test.
  assert.ok(given > 200, `${given} given`);
  assert.ok(leftOut > 20, `${leftOut} left out`);
});

test('the stops of a delivery stay together in their order, with the way back', async () => {
  const situation = { ...randomSituation(5), runs: [], locks: new Map() };
  const { stored } = await planOf({ ...situation, aboardMax: 1 });
  for (const { stops } of stored.routes)
    for (const [id, own] of Map.groupBy(stops, ({ deliveryId }) => deliveryId)) {
      const order = situation.orders.find((each) => each.id === id)!;
      const expected = [null, ...order.stops.map((stop) => stop.id), ...(order.returning ? [null] : [])];
      assert.deepEqual(
        own.map(({ stopId }) => stopId),
        expected,
      );
      const first = stops.indexOf(own[0]!);
      assert.deepEqual(stops.slice(first, first + own.length), own);
    }
});

test('the same seed gives the same plan', async () => {
  const situation = randomSituation(8);
  assert.deepEqual((await planOf(situation)).stored, (await planOf(situation)).stored);
});

test('what nobody can carry is explained by what the drivers lack', async () => {
  const base = randomSituation(2);
  const [order] = base.orders;
  const stop = order!.stops[0]!;
  const driver = (changes: Partial<PlacedDriver>): PlacedDriver => ({
    ...base.drivers[0]!,
    categoryIds: [order!.categoryId],
    companyIds: [],
    capacity: null,
    calendar: null,
    ...changes,
  });
  const reasonWith = async (drivers: PlacedDriver[], more: Partial<Situation> = {}) => {
    const orders = [{ ...order!, refusedBy: [9] }];
    const situation = { ...base, orders, drivers, runs: [], demands: new Map(), locks: new Map(), ...more };
    return (await planOf(situation, 1)).stored.leftOut.map(({ reason, equipment }) => [reason, equipment]);
  };
  const needsBox = { demands: new Map([[stop.id, { ...NO_DEMANDS, equipment: ['thermal_box' as const] }]]) };
  const heavy = { demands: new Map([[stop.id, { ...NO_DEMANDS, weightGrams: 9000 }]]) };
  const small = { weightGrams: 5000, volumeMl: null, packages: null, equipment: ['box' as const] };
  assert.deepEqual(await reasonWith([driver({})]), []);
  assert.deepEqual(await reasonWith([]), [['no-drivers', undefined]]);
  assert.deepEqual(await reasonWith([driver({ categoryIds: [99] })]), [['no-driver-of-category', undefined]]);
  assert.deepEqual(await reasonWith([driver({ companyIds: [99] })]), [['no-driver-of-company', undefined]]);
  assert.deepEqual(await reasonWith([driver({ id: 9 })]), [['refused-by-all', undefined]]);
  assert.deepEqual(await reasonWith([driver({ capacity: small })], needsBox), [
    ['no-driver-with-equipment', ['thermal_box']],
  ]);
  assert.deepEqual(await reasonWith([driver({ capacity: small })], heavy), [
    ['no-driver-with-capacity', undefined],
  ]);
  const tomorrow = { week: [], days: [] };
  assert.deepEqual(await reasonWith([driver({ calendar: tomorrow })]), [['no-shift-then', undefined]]);
});

test('places that differ by centimetres are one', () => {
  const { placeOf, positions } = placesOf({ ...randomSituation(1), drivers: [], orders: [], runs: [] });
  const [one, other] = [
    { lat: -30.03, lng: -51.23 },
    { lat: -30.030_000_1, lng: -51.23 },
  ];
  assert.ok(haversineMetres(one, other) < 1);
  assert.equal(placeOf(one), placeOf(other));
  assert.equal(positions.length, 1);
});
