import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assign } from './assign.ts';

type Cost = (number | null)[][];

interface Total {
  pairs: number;
  cost: number;
}

const better = (a: Total, b: Total): Total =>
  a.pairs > b.pairs || (a.pairs === b.pairs && a.cost < b.cost) ? a : b;

/** Tries every way of pairing. */
function bestOfAll(cost: Cost, row = 0, taken: ReadonlySet<number> = new Set()): Total {
  if (row === cost.length) return { pairs: 0, cost: 0 };
  let best = bestOfAll(cost, row + 1, taken);
  for (const [column, cell] of cost[row]!.entries()) {
    if (cell === null || taken.has(column)) continue;
    const rest = bestOfAll(cost, row + 1, new Set([...taken, column]));
    best = better({ pairs: rest.pairs + 1, cost: rest.cost + cell }, best);
  }
  return best;
}

function totalOf(cost: Cost, columns: readonly (number | null)[]): Total {
  const cells = columns.flatMap((column, row) => (column === null ? [] : [cost[row]![column]!]));
  return { pairs: cells.length, cost: cells.reduce((sum: number, cell) => sum + cell, 0) };
}

const costs = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }))
  .chain(([rows, columns]) =>
    fc.array(
      fc.array(fc.option(fc.integer({ min: 0, max: 50 })), { minLength: columns, maxLength: columns }),
      {
        minLength: rows,
        maxLength: rows,
      },
    ),
  );

test('pairs as many as can be paired, at the least total cost', () => {
  fc.assert(
    fc.property(costs, (cost) => {
      const columns = assign(cost);
      const used = columns.filter((column) => column !== null);
      assert.equal(new Set(used).size, used.length, 'no column twice');
      for (const [row, column] of columns.entries())
        assert.ok(column === null || cost[row]![column] !== null, 'no forbidden pair');
      assert.deepEqual(totalOf(cost, columns), bestOfAll(cost));
    }),
    { numRuns: 500 },
  );
});

test('gives up the nearest for one where that helps the whole', () => {
  // First come, first served would send driver 0 to delivery 0 and leave delivery 1 with the far one: 101.
  assert.deepEqual(
    assign([
      [1, 2],
      [2, 100],
    ]),
    [1, 0],
  );
});

test('leaves alone whoever nobody can be paired with', () => {
  assert.deepEqual(
    assign([
      [null, null],
      [3, null],
    ]),
    [null, 0],
  );
  assert.deepEqual(assign([]), []);
  assert.deepEqual(assign([[]]), [null]);
});
