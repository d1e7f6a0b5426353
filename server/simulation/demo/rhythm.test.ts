import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { demoSenders } from './demoFleet.ts';
import {
  type Board,
  GAP_SECONDS,
  gapSeconds,
  nextStory,
  ordersPerHour,
  SCHEDULED_MAX,
  TROUBLES_MAX,
  troubleToResolve,
} from './rhythm.ts';
import { rhythmOrder } from './rhythmOrders.ts';

const seeds = fc.nat({ max: 1_000_000_000 });
const boards = fc.record<Board>({
  couriers: fc.nat({ max: 20 }),
  open: fc.nat({ max: 30 }),
  leavingSoon: fc.nat({ max: 5 }),
  scheduled: fc.nat({ max: 12 }),
  troubles: fc.nat({ max: 6 }),
});
/** 16 November 2026 is a Monday. */
const at = (day: number, hour: number, minute = 0) =>
  new Temporal.PlainDateTime(2026, 11, 15 + day, hour, minute);

test('lunch and dinner are the peaks of every day, and the night is quietest', () => {
  for (const day of [1, 2, 3, 4, 5, 6, 7]) {
    const rates = Array.from({ length: 24 }, (_, hour) => ordersPerHour(at(day, hour)));
    const highest = (from: number, to: number) => Math.max(...rates.slice(from, to));
    assert.ok(highest(11, 15) > 1.5 * highest(15, 17), `lunch of day ${day}`);
    assert.ok(highest(18, 22) > 1.5 * highest(15, 17), `dinner of day ${day}`);
    assert.ok(Math.min(...rates.slice(2, 6)) === Math.min(...rates), `night of day ${day}`);
  }
  assert.ok(ordersPerHour(at(6, 23)) > ordersPerHour(at(2, 23)), 'a Saturday night is longer');
});

test('between two full hours the rate changes evenly, also past midnight', () => {
  for (const [hour, day] of [
    [11, 1],
    [23, 7],
  ] as const) {
    const [before, between, after] = [at(day, hour), at(day, hour, 30), at(day, hour).add({ hours: 1 })];
    assert.equal(ordersPerHour(between), (ordersPerHour(before) + ordersPerHour(after)) / 2);
  }
});

test('the gaps between orders are bounded, and their average fits the rate of the hour', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 1, max: 200 }), (seed, perHour) => {
      const seconds = gapSeconds(seed, perHour);
      assert.ok(seconds >= GAP_SECONDS.min && seconds <= GAP_SECONDS.max);
      assert.equal(seconds, gapSeconds(seed, perHour));
    }),
  );
  const count = 5_000;
  const total = Array.from({ length: count }, (_, seed) => gapSeconds(seed, 90)).reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(total / count - 40) < 3, `${total / count} seconds`);
});

test('there are never more open deliveries than couriers, and no orders without couriers', () => {
  fc.assert(
    fc.property(seeds, boards, (seed, board) => {
      const story = nextStory(seed, board);
      if (board.open + board.leavingSoon >= board.couriers) assert.equal(story, null);
      else assert.notEqual(story, null);
      assert.equal(nextStory(seed, { ...board, couriers: 0 }), null);
    }),
  );
});

test('there are always some open problems, never more than a few, and a limited number of scheduled deliveries', () => {
  fc.assert(
    fc.property(seeds, boards, (seed, board) => {
      const free = { ...board, couriers: board.open + board.leavingSoon + 1 };
      const story = nextStory(seed, free);
      const isTrouble = story === 'held' || story === 'failure';
      if (free.troubles === 0) assert.ok(isTrouble);
      if (free.troubles >= TROUBLES_MAX) assert.ok(!isTrouble);
      if (free.scheduled >= SCHEDULED_MAX) assert.notEqual(story, 'scheduled');
    }),
  );
});

test('of many orders most succeed, and every other story occurs', () => {
  const board = { couriers: 6, open: 0, leavingSoon: 0, scheduled: 0, troubles: 1 };
  const stories = Map.groupBy(
    Array.from({ length: 5_000 }, (_, seed) => nextStory(seed, board)),
    String,
  );
  assert.deepEqual([...stories.keys()].sort(), [
    ...['absent', 'breakdown', 'failure', 'giving_up', 'held'],
    ...['no_driver', 'refusal', 'scheduled', 'success'],
  ]);
  assert.ok(stories.get('success')!.length > 3_500);
});

test('the oldest problem is resolved when it is old, unless it is the only one', () => {
  const now = Temporal.Instant.from('2026-11-16T15:00:00Z');
  const since = (minutes: number) => ({ since: now.subtract({ minutes }) });
  const old = since(21);
  assert.equal(troubleToResolve([old, since(3)], now), old);
  assert.equal(troubleToResolve([old], now), undefined);
  assert.equal(troubleToResolve([since(19), since(3)], now), undefined);
  assert.equal(troubleToResolve([], now), undefined);
});

const senders = demoSenders().slice(0, 2);

test('the seed alone decides an order: a known company, one to three stops in the city', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const order = rhythmOrder(seed, 'success', senders);
      assert.deepEqual(order, rhythmOrder(seed, 'success', senders));
      assert.ok(order.companyId === 1 || order.companyId === 2);
      assert.ok(order.stops.length >= 1 && order.stops.length <= 3);
      for (const { position, address, recipientName } of order.stops) {
        assert.ok(Math.abs(position.lat + 30.04) < 0.06 && Math.abs(position.lng + 51.21) < 0.06);
        assert.match(address, /, \d+$/);
        assert.ok(recipientName);
      }
    }),
  );
  assert.equal(rhythmOrder(7, 'failure', senders).note?.includes('[simular: nao-entregue]'), true);
});
