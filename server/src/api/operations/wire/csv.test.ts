import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLines } from './csv.ts';

test('other work gets turns of the event loop while the lines of many rows are made', async () => {
  let turns = 0;
  let isOver = false;
  const takeTurns = () => {
    turns += 1;
    if (!isOver) setImmediate(takeTurns);
  };
  setImmediate(takeTurns);
  /** Each row takes longer than a slice. */
  const turnOf = (row: number): [number, string] => {
    const until = performance.now() + 15;
    while (performance.now() < until);
    return [row, `turn ${turns}`];
  };
  const text = await csvLines([1, 2, 3, 4], turnOf);
  isOver = true;
  const lines = text.trimEnd().split('\r\n');
  assert.deepEqual(
    lines.map((line) => line.split(';')[0]),
    ['1', '2', '3', '4'],
  );
  assert.equal(new Set(lines.map((line) => line.split(';')[1])).size, 4, text);
});
