import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { demoCentrals } from './demoCentrals.ts';
import { demoSenders, moreDrivers } from './demoFleet.ts';
import { FRIDAY_OPEN_MAX, FRIDAY_ORDERS_AT_ONCE, fridayOpen, fridayOrders } from './friday.ts';
import { fridayCompanies, fridayDrivers } from './fridayFleet.ts';

const at = (minute: number, second = 0) => new Temporal.PlainDateTime(2026, 11, 20, 10, minute, second);
const evening = Array.from({ length: 30 * 60 }, (_, second) =>
  fridayOpen(at(Math.floor(second / 60), second % 60)),
);

test('an evening passes in half an hour: it begins and ends quietly, and has a peak of 250 open orders', () => {
  assert.equal(Math.max(...evening), 250);
  assert.equal(FRIDAY_OPEN_MAX, 250);
  assert.equal(evening[0], 60);
  assert.equal(evening.at(-1), 60);
  assert.deepEqual(fridayOpen(at(12)), fridayOpen(at(42)));
  for (const [second, open] of evening.entries())
    assert.ok(Math.abs(open - (evening[second - 1] ?? open)) <= 1, `a jump at ${second} s`);
});

test('orders come while some are missing, a few in a turn', () => {
  fc.assert(
    fc.property(fc.nat({ max: 300 }), fc.nat({ max: 300 }), (wanted, open) => {
      const count = fridayOrders(wanted, open);
      assert.ok(count <= FRIDAY_ORDERS_AT_ONCE);
      assert.ok(open + count <= Math.max(wanted, open));
      assert.equal(count > 0, open < wanted);
    }),
  );
});

test('fifteen companies and forty drivers of three kinds of vehicle work on it', () => {
  assert.equal(demoSenders().length + fridayCompanies.length, 15);
  assert.equal(demoCentrals[0]!.drivers.length + moreDrivers.length + fridayDrivers.length, 40);
  assert.deepEqual(
    new Set(fridayDrivers.map(({ category }) => category)),
    new Set(['Moto', 'Carro', 'Bike']),
  );
  const phones = [...demoCentrals[0]!.drivers, ...fridayDrivers].map(({ phone }) => phone);
  assert.equal(new Set(phones).size, phones.length);
});
