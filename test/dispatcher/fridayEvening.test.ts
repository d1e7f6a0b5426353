import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runPlanner } from '../../bench/eveningPlanner.ts';
import { runToday } from '../../bench/eveningToday.ts';
import { eveningFaults, eveningOf, sumUp } from '../../bench/eveningWorld.ts';

const evening = await eveningOf(60, 3);
const options = { everySeconds: 120, iterations: 10, seed: 1 };

test('today and with the planner every order is delivered once, by drivers who are in one place at a time', async () => {
  for (const stops of [await runToday(evening), runPlanner(evening, options)]) {
    assert.deepEqual(eveningFaults(evening, stops), []);
    assert.equal(sumUp(evening, stops).delivered, 60);
  }
});

test('the same evening runs the same way', async () => {
  assert.deepEqual(await runToday(evening), await runToday(evening));
  assert.deepEqual(runPlanner(evening, options), runPlanner(evening, options));
});

test('lateness, kilometres and pay are those of the stops', () => {
  const [order] = evening.orders;
  const promised = order!.promisedAt;
  const stop = {
    driver: 0,
    order: order!.id,
    from: order!.pickup,
    place: order!.drops[0]!,
    departAt: promised,
  };
  const result = sumUp(evening, [{ ...stop, stop: 1, beginAt: promised + 600, leaveAt: promised + 780 }]);
  assert.equal(result.lateOrders, 1);
  assert.equal(result.lateSeconds, 600);
  assert.equal(result.driverSeconds, 780);
  assert.equal(result.metres, evening.matrix.metres[order!.pickup]![order!.drops[0]!]);
  assert.equal(result.payLeast, 0);
  assert.ok(result.payMost > 600);
});
