import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PointOffRoad, type Router } from '../../geo/routing/router.ts';
import { straightLineRouter } from '../../geo/routing/straightLine.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { randomFrom } from '../../platform/kernel/random.ts';
import type { FreeDriver, Searching } from './distributionStore.ts';
import { type Match, matchDrivers } from './matchDrivers.ts';

const router = straightLineRouter();
const UNKNOWN = { capacity: null, calendar: null };
const START = Temporal.Instant.from('2026-11-16T15:00:00Z');
const COURIERS = 30;
const ORDERS = 70;
const WINDOW_SECONDS = 15;
const reach = { metresMax: 15_000, nextPickupMetresMax: 0, limit: 8 };

type Matcher = (searching: Searching[], drivers: FreeDriver[], now: Temporal.Instant) => Promise<Match[]>;

const together: Matcher = (searching, drivers, now) =>
  matchDrivers(router, searching, drivers, { reach, offersAtOnce: 1, now });

/** First come, first served: each delivery takes the nearest free driver. */
const greedy: Matcher = async (searching, drivers, now) => {
  const left = [...drivers];
  const matches: Match[] = [];
  for (const delivery of searching) {
    const [match] = await together([delivery], left, now);
    for (const { id } of match!.drivers)
      left.splice(
        left.findIndex((driver) => driver.id === id),
        1,
      );
    matches.push(match!);
  }
  return matches;
};

const secondsBetween = async (from: Position, to: Position): Promise<number> =>
  (await router.matrix([from, to], 'motorcycle')).seconds[0]![1]!;

/** An hour of a city: orders come at random, couriers pick up, deliver, and are free again where they ended. */
async function pickupSecondsOfAnHour(
  seed: number,
  match: Matcher,
): Promise<{ total: number; served: number }> {
  const random = randomFrom(seed);
  const place = (): Position => ({ lat: -30.1 + random() * 0.12, lng: -51.25 + random() * 0.12 });
  const couriers = Array.from({ length: COURIERS }, (_, id) => ({ id, at: place(), freeAt: 0 }));
  const orders = Array.from({ length: ORDERS }, (_, id) => ({
    id,
    at: Math.floor(random() * 3600),
    pickup: place(),
    goal: place(),
  })).sort((a, b) => a.at - b.at);
  let waiting: typeof orders = [];
  let total = 0;
  let served = 0;
  for (let now = 0; served < ORDERS; now += WINDOW_SECONDS) {
    waiting.push(...orders.filter((order) => order.at > now - WINDOW_SECONDS && order.at <= now));
    const free = couriers.filter((courier) => courier.freeAt <= now);
    const matches = await match(
      waiting.map((order) => ({
        id: order.id,
        companyId: 1,
        categoryId: 1,
        profile: 'motorcycle',
        pickup: order.pickup,
        searchSince: START.add({ seconds: order.at }),
        status: 'distributing',
        asked: [],
        demands: null,
      })),
      free.map(({ id, at }) => ({
        id,
        categoryIds: [1],
        companyIds: [],
        from: at,
        carrying: null,
        ...UNKNOWN,
      })),
      START.add({ seconds: now }),
    );
    for (const { delivery, drivers } of matches) {
      if (drivers.length === 0) continue;
      const order = orders.find(({ id }) => id === delivery.id)!;
      const courier = couriers[drivers[0]!.id]!;
      const toPickup = await secondsBetween(courier.at, order.pickup);
      courier.freeAt = now + toPickup + (await secondsBetween(order.pickup, order.goal));
      courier.at = order.goal;
      total += toPickup;
      served += 1;
      waiting = waiting.filter(({ id }) => id !== delivery.id);
    }
  }
  return { total, served };
}

test('over generated hours of a city, matching together costs less time to the pickups than first come, first served', async () => {
  let joint = 0;
  let oneByOne = 0;
  for (let seed = 1; seed <= 5; seed += 1) {
    joint += (await pickupSecondsOfAnHour(seed, together)).total;
    oneByOne += (await pickupSecondsOfAnHour(seed, greedy)).total;
  }
  assert.ok(joint < oneByOne, `together ${joint} s, one by one ${oneByOne} s`);
});

test('the longest searches come first when drivers are few', async () => {
  const near = { lat: -30.03, lng: -51.23 };
  const delivery = (id: number, pickup: Position, waited: number): Searching => ({
    id,
    companyId: 1,
    categoryId: 1,
    profile: 'motorcycle',
    pickup,
    searchSince: START.subtract({ seconds: waited }),
    status: 'pending',
    asked: [],
    demands: null,
  });
  const driver: FreeDriver = {
    id: 7,
    categoryIds: [1],
    companyIds: [],
    from: near,
    carrying: null,
    ...UNKNOWN,
  };
  const fresh = delivery(1, near, 0);
  const old = delivery(2, { lat: -30.05, lng: -51.21 }, 2400);
  const matches = await together([fresh, old], [driver], START);
  assert.deepEqual(
    matches.map(({ drivers }) => drivers.length),
    [0, 1],
  );
});

test('a driver away from roads does not prevent the matching of others', async () => {
  const delivery = (id: number, pickup: Position): Searching => ({
    id,
    companyId: 1,
    categoryId: 1,
    profile: 'motorcycle',
    pickup,
    searchSince: START,
    status: 'distributing',
    asked: [],
    demands: null,
  });
  const lake = { lat: -30.04, lng: -51.25 };
  const roads: Router = {
    ...router,
    async matrix(points, profile) {
      const inTheLake = points.findIndex(({ lng }) => lng === lake.lng);
      if (inTheLake !== -1) throw new PointOffRoad(inTheLake);
      return router.matrix(points, profile);
    },
  };
  const drivers: FreeDriver[] = [
    { id: 1, categoryIds: [1], companyIds: [], from: lake, carrying: null, ...UNKNOWN },
    {
      id: 2,
      categoryIds: [1],
      companyIds: [],
      from: { lat: -30.05, lng: -51.2 },
      carrying: null,
      ...UNKNOWN,
    },
  ];
  const searching = [delivery(1, { lat: -30.04, lng: -51.24 }), delivery(2, { lat: -30.05, lng: -51.21 })];
  const matches = await matchDrivers(roads, searching, drivers, { reach, offersAtOnce: 1, now: START });
  assert.deepEqual(
    matches.map((match) => match.drivers.map(({ id }) => id)),
    [[1], [2]],
  );
});

test('without drivers, or without a route, nothing is matched', async () => {
  const delivery: Searching = {
    id: 1,
    companyId: null,
    categoryId: 1,
    profile: 'car',
    pickup: { lat: -30, lng: -51.2 },
    searchSince: START,
    status: 'distributing',
    asked: [],
    demands: null,
  };
  const driver: FreeDriver = {
    id: 1,
    categoryIds: [1],
    companyIds: [],
    from: { lat: -30.01, lng: -51.2 },
    carrying: null,
    ...UNKNOWN,
  };
  const islands = {
    ...router,
    matrix: async () => ({
      metres: [
        [0, null],
        [null, 0],
      ],
      seconds: [
        [0, null],
        [null, 0],
      ],
    }),
  };
  assert.deepEqual(await together([delivery], [], START), [{ delivery, drivers: [] }]);
  const options = { reach, offersAtOnce: 1, now: START };
  assert.deepEqual(await matchDrivers(islands, [delivery], [driver], options), [{ delivery, drivers: [] }]);
});

test('however many searches there are, a router request holds only one pickup and the drivers near it', async () => {
  const random = randomFrom(5);
  const place = (): Position => ({ lat: -30.1 + random() * 0.12, lng: -51.25 + random() * 0.12 });
  const kitchen = place();
  const searching = Array.from(
    { length: 40 },
    (_, id): Searching => ({
      id,
      companyId: 1,
      categoryId: 1,
      profile: 'motorcycle',
      pickup: id < 10 ? kitchen : place(),
      searchSince: START,
      status: 'distributing',
      asked: [],
      demands: null,
    }),
  );
  const drivers = Array.from(
    { length: 60 },
    (_, id): FreeDriver => ({
      id,
      categoryIds: [1],
      companyIds: [],
      from: place(),
      carrying: null,
      ...UNKNOWN,
    }),
  );
  const sizes: number[] = [];
  const counting: Router = {
    ...router,
    matrix: (points, profile) => {
      sizes.push(points.length);
      return router.matrix(points, profile);
    },
  };
  const matches = await matchDrivers(counting, searching, drivers, { reach, offersAtOnce: 1, now: START });
  assert.ok(Math.max(...sizes) <= reach.limit + 1, `${Math.max(...sizes)} places in one question`);
  // Also if more deliveries wait at one pickup than drivers are considered for each.
  const asked = matches.map((match) => match.drivers.map(({ id }) => id));
  assert.ok(asked.every((ids) => ids.length === 1));
  assert.equal(new Set(asked.flat()).size, searching.length, 'each has a driver of its own');
});

test('a driver who is known to lack what a delivery demands is not asked, and the next one is', async () => {
  const at = (lng: number): Position => ({ lat: -30.05, lng });
  const delivery: Searching = {
    id: 1,
    companyId: 1,
    categoryId: 1,
    profile: 'motorcycle',
    pickup: at(-51.2),
    searchSince: START,
    status: 'distributing',
    asked: [],
    demands: {
      needed: { weightGrams: 8_000, volumeMl: null, packages: null, equipment: ['thermal_bag'] },
      ofCategory: { weightGrams: 10_000, volumeMl: null, packages: null, equipment: [] },
      priority: 0,
    },
  };
  const driver = (id: number, capacity: FreeDriver['capacity']): FreeDriver => ({
    id,
    categoryIds: [1],
    companyIds: [],
    from: at(-51.2 - id / 1_000),
    carrying: null,
    capacity,
    calendar: null,
  });
  const own = { weightGrams: null, volumeMl: null, packages: null, equipment: null };
  const drivers = [
    driver(1, null),
    driver(2, { ...own, equipment: ['box'] }),
    driver(3, { ...own, equipment: ['thermal_box'], weightGrams: 7_999 }),
    driver(4, { ...own, equipment: ['thermal_box'] }),
  ];
  const [match] = await together([delivery], drivers, START);
  assert.deepEqual(
    match!.drivers.map(({ id }) => id),
    [4],
  );
});

test('of two deliveries for one driver the one of higher priority is offered', async () => {
  const pickup = { lat: -30.05, lng: -51.2 };
  const waiting = (id: number, priority: number, minutes: number): Searching => ({
    id,
    companyId: 1,
    categoryId: 1,
    profile: 'motorcycle',
    pickup,
    searchSince: START.subtract({ minutes }),
    status: 'distributing',
    asked: [],
    demands: {
      needed: { weightGrams: null, volumeMl: null, packages: null, equipment: [] },
      ofCategory: null,
      priority,
    },
  });
  const driver: FreeDriver = {
    id: 1,
    categoryIds: [1],
    companyIds: [],
    from: pickup,
    carrying: null,
    ...UNKNOWN,
  };
  const matches = await together([waiting(1, 0, 5), waiting(2, 1, 0)], [driver], START);
  assert.deepEqual(
    matches.map(({ drivers }) => drivers.length),
    [0, 1],
  );
});
