import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cancelledShare, driverShare, type ShareRule, splitShare } from './share.ts';

const delivery = { grossCents: 1_245, metres: 3_210, stops: 2 };
const percent: ShareRule = { kind: 'percent', percent: '72.5' };
const table: ShareRule = { kind: 'table', baseCents: 500, perKmCents: '87.5', perStopCents: 120 };

test('a share is the percentage of the price, or what the table says, rounded half up once', () => {
  assert.equal(driverShare(percent, delivery), 903); // 902.625
  assert.equal(driverShare(table, delivery), 1_021); // 500 + 280.875 + 240
  assert.equal(driverShare({ kind: 'none' }, delivery), null);
});

test('of a cancelled delivery the share is that of what was charged', () => {
  assert.equal(cancelledShare(percent, delivery, 400), 290);
  assert.equal(cancelledShare(table, delivery, 400), 328); // 1020.875 * 400 / 1245
  assert.equal(cancelledShare(table, delivery, 5_000), 1_021);
  assert.equal(cancelledShare({ kind: 'none' }, delivery, 400), null);
});

test('a share that several drivers have is split by their stops, to the last cent', () => {
  assert.deepEqual(
    splitShare(1_000, [
      { driverId: 4, stops: 1 },
      { driverId: 9, stops: 2 },
    ]),
    [
      { driverId: 4, cents: 333 },
      { driverId: 9, cents: 667 },
    ],
  );
  assert.deepEqual(
    splitShare(500, [
      { driverId: 4, stops: 0 },
      { driverId: 9, stops: 0 },
    ]),
    [{ driverId: 9, cents: 500 }],
  );
  fc.assert(
    fc.property(
      fc.nat({ max: 1_000_000 }),
      fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 8 }),
      (cents, stops) => {
        const parts = splitShare(
          cents,
          stops.map((count, driverId) => ({ driverId, stops: count })),
        );
        assert.equal(
          parts.reduce((sum, part) => sum + part.cents, 0),
          cents,
        );
        for (const part of parts) assert.ok(part.cents >= 0);
      },
    ),
  );
});
