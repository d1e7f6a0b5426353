import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { metresBetween } from '../../web/driver/src/core/geometry.ts';
import {
  BATCH_MAX,
  type Fix,
  type FixStorage,
  isWorthKeeping,
  type OwnFix,
  openPositionQueue,
  QUEUE_MAX,
  type StoredFix,
} from '../../web/driver/src/core/positions.ts';

const fix = (changes: Partial<Fix> = {}): Fix => ({ lat: -30, lng: -51.2, at: 0, accuracy: 10, ...changes });
/** The latitude this many metres to the north. */
const north = (metres: number): number => -30 + metres / 111_195;

function memory(): FixStorage & { kept: StoredFix[] } {
  let seq = 0;
  const storage = {
    kept: [] as StoredFix[],
    load: async () => [...storage.kept],
    async add(added: OwnFix) {
      seq += 1;
      storage.kept.push({ ...added, seq });
      return { ...added, seq };
    },
    async remove(seqs: readonly number[]) {
      const gone = new Set(seqs);
      storage.kept = storage.kept.filter((each) => !gone.has(each.seq));
    },
  };
  return storage;
}

test('distances are those of the earth', () => {
  assert.ok(Math.abs(metresBetween(fix(), fix({ lat: north(100) })) - 100) < 1);
  assert.equal(metresBetween(fix(), fix()), 0);
});

test('a moving phone tells often, a standing one seldom, a lost one not at all', () => {
  const worth = (changes: Partial<Fix>, last: Fix | null = fix()) => isWorthKeeping(last, fix(changes));
  assert.ok(worth({}, null), 'the first');
  assert.ok(!worth({ accuracy: 500 }, null), 'too vague');
  assert.ok(worth({ at: 5_000, lat: north(60) }), 'on the way');
  assert.ok(!worth({ at: 2_000, lat: north(60) }), 'too soon');
  assert.ok(!worth({ at: 60_000, lat: north(10) }), 'as good as standing');
  assert.ok(!worth({ at: 60_000, lat: north(60), accuracy: 80 }), 'seems to wander');
  assert.ok(worth({ at: 120_000 }), 'a sign of life');
  assert.ok(worth({ at: -3_600_000 }), 'after a clock that was ahead was set right');
});

test('a standing driver costs thirty positions an hour, a driving one at most seven hundred and twenty', () => {
  const kept = (metresPerSecond: number): number => {
    let last: Fix | null = null;
    let count = 0;
    for (let second = 0; second < 3_600; second += 1) {
      const now = fix({ at: second * 1_000, lat: north(second * metresPerSecond) });
      if (!isWorthKeeping(last, now)) continue;
      last = now;
      count += 1;
    }
    return count;
  };
  assert.equal(kept(0), 30);
  assert.equal(kept(10), 720);
});

test('positions are sent oldest first in batches, and those that did not arrive stay', async () => {
  const sent: number[][] = [];
  let arrives = true;
  const storage = memory();
  const queue = await openPositionQueue(storage, async (batch) => {
    sent.push(batch.map(({ at }) => at));
    return arrives;
  });
  await queue.actFor('1');
  for (let at = 0; at < 1_200; at += 1) await queue.add(fix({ at }));
  assert.equal(await queue.flush(), true);
  arrives = false;
  assert.equal(await queue.flush(), false);
  arrives = true;
  assert.equal(await queue.flush(), true);
  assert.equal(await queue.flush(), false);
  assert.deepEqual(
    sent.map((batch) => [batch.length, batch[0]]),
    [
      [BATCH_MAX, 0],
      [BATCH_MAX, 500],
      [BATCH_MAX, 500],
      [200, 1_000],
    ],
  );
  assert.equal(storage.kept.length, 0);
});

test('the queue outlives the app and never grows without end; the newest part stays whole', async () => {
  const storage = memory();
  for (let seq = 1; seq <= QUEUE_MAX; seq += 1)
    storage.kept.push({ ...fix({ at: seq }), driverId: '1', seq });
  let next = QUEUE_MAX;
  storage.add = async (added) => {
    next += 1;
    storage.kept.push({ ...added, seq: next });
    return { ...added, seq: next };
  };
  const queue = await openPositionQueue(storage, async () => true);
  await queue.actFor('1');
  assert.equal(queue.size(), QUEUE_MAX);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 200 }), async (more) => {
      for (let count = 0; count < more; count += 1) await queue.add(fix({ at: next + 1 }));
      assert.ok(queue.size() <= QUEUE_MAX);
      assert.equal(storage.kept.length, queue.size());
      const ats = storage.kept.map(({ at }) => at);
      assert.deepEqual(
        ats,
        ats.toSorted((a, b) => a - b),
      );
      assert.equal(ats.at(-1), next);
      assert.deepEqual(
        ats.slice(-1_000),
        Array.from({ length: 1_000 }, (_, index) => next - 999 + index),
      );
    }),
    { numRuns: 20 },
  );
});

test('where one person was is not sent as another’s who signs in on the same phone', async () => {
  const sent: number[] = [];
  const storage = memory();
  const open = () =>
    openPositionQueue(storage, async (batch) => {
      sent.push(...batch.map(({ at }) => at));
      return true;
    });
  const queue = await open();
  await queue.add(fix({ at: 1 }));
  assert.equal(queue.size(), 0, 'nobody is signed in');
  await queue.actFor('1');
  await queue.add(fix({ at: 2 }));
  // The central ended the session. First the same person comes back, then another one.
  await queue.actFor(null);
  await queue.flush();
  assert.deepEqual(sent, []);
  const restarted = await open();
  await restarted.actFor('1');
  await restarted.flush();
  assert.deepEqual(sent, [2]);
  await restarted.add(fix({ at: 3 }));
  await restarted.actFor(null);
  await restarted.actFor('2');
  await restarted.add(fix({ at: 4 }));
  await restarted.flush();
  assert.deepEqual(sent, [2, 4]);
  assert.equal(storage.kept.length, 0);
});
