import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { randomFrom } from '../../platform/kernel/random.ts';
import { assign as assignInSteps } from './assign.ts';

/** A null cell is a pair that is not allowed. */
type Cost = (number | null)[][];

function assign(cost: Cost): (number | null)[] {
  const rows = cost.map((cells) =>
    cells.flatMap((cell, column) => (cell === null ? [] : [{ column, cost: cell }])),
  );
  const steps = assignInSteps(rows, cost[0]?.length ?? 0);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

interface Total {
  pairs: number;
  cost: number;
}

const better = (a: Total, b: Total): Total =>
  a.pairs > b.pairs || (a.pairs === b.pairs && a.cost < b.cost) ? a : b;

/** Tries every possible pairing. */
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

/**
 * A reference implementation on the whole matrix: the Hungarian algorithm of O(rows² × columns), too slow for a city
 * and simple enough to be evidently correct.
 */
function assignWholeMatrix(cost: Cost): (number | null)[] {
  const rows = cost.length;
  const columns = cost[0]?.length ?? 0;
  const dearest = Math.max(0, ...cost.flat().filter((cell) => cell !== null));
  const alone = (dearest + 1) * (rows + 1);
  const width = columns + rows;
  const cellAt = (row: number, column: number): number =>
    column >= columns
      ? column - columns === row
        ? alone
        : Number.POSITIVE_INFINITY
      : (cost[row]![column] ?? Number.POSITIVE_INFINITY);
  const rowPotential = new Float64Array(rows);
  const columnPotential = new Float64Array(width);
  const rowOf = new Int32Array(width).fill(-1);
  for (let start = 0; start < rows; start += 1) {
    const distance = new Float64Array(width).fill(Number.POSITIVE_INFINITY);
    const cameFrom = new Int32Array(width).fill(-1);
    const settled: number[] = [];
    const unsettled = new Set(Array.from({ length: width }, (_, column) => column));
    let row = start;
    let way = 0;
    let column = -1;
    let via = -1;
    for (;;) {
      for (const to of unsettled) {
        const length = way + cellAt(row, to) - rowPotential[row]! - columnPotential[to]!;
        if (length >= distance[to]!) continue;
        distance[to] = length;
        cameFrom[to] = via;
      }
      column = [...unsettled].reduce((best, to) => (distance[to]! < distance[best]! ? to : best));
      way = distance[column]!;
      unsettled.delete(column);
      if (rowOf[column] === -1) break;
      settled.push(column);
      row = rowOf[column]!;
      via = column;
    }
    for (const to of settled) {
      columnPotential[to]! += distance[to]! - way;
      rowPotential[rowOf[to]!]! += way - distance[to]!;
    }
    rowPotential[start]! += way;
    for (let at = column; at !== -1; at = cameFrom[at]!)
      rowOf[at] = cameFrom[at] === -1 ? start : rowOf[cameFrom[at]!]!;
  }
  return cost.map((_, row) => {
    const column = rowOf.indexOf(row);
    return column < columns ? column : null;
  });
}

/** Rows with a few nearby columns each, like pickups and drivers of a city. */
function citizens(seed: number, rows: number, columns: number, choices: number): Cost {
  const random = randomFrom(seed);
  return Array.from({ length: rows }, () => {
    const cells: (number | null)[] = Array.from({ length: columns }, () => null);
    const centre = random() * columns;
    for (let nth = 0; nth < choices; nth += 1) {
      const column = Math.floor(centre + nth * 2 * random()) % columns;
      cells[column] = Math.round(random() * 900);
    }
    return cells;
  });
}

test('the pairs are as many and as cheap as those of the whole matrix, for more and for fewer rows than columns', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 6 }),
      (seed, rows, columns, choices) => {
        const cost = citizens(seed, rows, columns, choices);
        const found = assign(cost);
        const used = found.filter((column) => column !== null);
        assert.equal(new Set(used).size, used.length, 'no column twice');
        assert.deepEqual(totalOf(cost, found), totalOf(cost, assignWholeMatrix(cost)));
      },
    ),
    { numRuns: 200 },
  );
});

test('a thousand rows that compete for five hundred columns are assigned in steps of a few milliseconds', () => {
  let looked = 0;
  const rows = citizens(7, 1_000, 500, 6).map((cells) =>
    cells.flatMap((cell, column) => {
      if (cell === null) return [];
      const choice = {
        get column() {
          looked += 1;
          return column;
        },
        cost: cell,
      };
      return [choice];
    }),
  );
  let most = 0;
  let before = 0;
  for (const _ of assignInSteps(rows, 500)) {
    most = Math.max(most, looked - before);
    before = looked;
  }
  // Counts choices instead of time: a step examines each choice of each row at most once.
  assert.ok(most <= 6_000, `${most} choices in one step`);
  assert.ok(looked < 1_000_000, `${looked} choices in all; the whole matrix has 500,000 cells for each row`);
});

test('gives a row another column than its nearest where that lowers the total', () => {
  // First come, first served would send driver 0 to delivery 0 and leave delivery 1 with the far one: 101.
  assert.deepEqual(
    assign([
      [1, 2],
      [2, 100],
    ]),
    [1, 0],
  );
});

test('rows without a possible column stay unpaired', () => {
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
