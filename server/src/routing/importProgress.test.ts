import assert from 'node:assert/strict';
import { test } from 'node:test';
import { displayProgress, progressIn } from './importProgress.ts';

function shown(isTTY: boolean): string {
  let text = '';
  const display = displayProgress({ isTTY, write: (more: string) => (text += more) });
  for (const [stage, percent] of [
    ['reading', 0],
    ['building', 50],
    ['building', 60],
    ['in use', 100],
  ] as const)
    display.show({ stage, percent });
  display.end();
  return text;
}

test('a terminal is shown one bar that grows', () => {
  const bars = shown(true).split('\r');
  assert.equal(bars.length, 5);
  assert.match(bars[2]!, /█{15}░{15} {2}50 % building$/);
  assert.match(bars[4]!, /█{30} 100 % in use\n$/);
});

test('a log gets one line for each stage', () => {
  assert.equal(shown(false), '  0 % reading\n 50 % building\n100 % in use\n');
});

test('an import that ends before it began leaves no empty line', () => {
  let text = '';
  displayProgress({ isTTY: true, write: (more: string) => (text += more) }).end();
  assert.equal(text, '');
});

test('what the builder says of other things is no progress', () => {
  assert.equal(progressIn('2026/11/15 01:49:08.598 [WARN] Admin db not found.'), undefined);
  assert.equal(progressIn('2026/11/15 01:49:07.923 [INFO] Parsing ways...')?.stage, 'reading roads');
});
