import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { BoundedMap } from './boundedMap.ts';

const step = fc.record({
  action: fc.constantFrom('get', 'set', 'set', 'set', 'delete', 'clear'),
  key: fc.integer({ min: 0, max: 12 }),
});

test('it keeps the entries used last, and never more than its limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 200 }), (limit, steps) => {
      const map = new BoundedMap<number, string>(limit);
      // Oldest first, by the plainest means.
      let model: number[] = [];
      for (const { action, key } of steps) {
        const known = model.includes(key);
        if (action === 'get') assert.equal(map.get(key), known ? `value ${key}` : undefined);
        if (action === 'set') map.set(key, `value ${key}`);
        if (action === 'delete') map.delete(key);
        if (action === 'clear') map.clear();
        if (action === 'clear') model = [];
        else if (action !== 'get' || known) model = model.filter((one) => one !== key);
        if (action === 'set' || (action === 'get' && known)) model.push(key);
        model = model.slice(-limit);
        assert.equal(map.size, model.length);
      }
      for (const key of model) assert.equal(map.get(key), `value ${key}`);
    }),
    { numRuns: 500 },
  );
});

test('what is used again and again leaves nothing behind', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const map = new BoundedMap<number, string>(100);
  for (let key = 0; key < 20; key += 1) map.set(key, `value ${key}`);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let turn = 0; turn < 1_000_000; turn += 1) map.get(turn % 20);
  collectGarbage();
  const grown = process.memoryUsage().heapUsed - before;
  // Asked last, so that the map itself is not garbage before.
  assert.equal(map.get(7), 'value 7');
  assert.ok(grown < 5_000_000, `a million uses left ${grown} bytes`);
});
