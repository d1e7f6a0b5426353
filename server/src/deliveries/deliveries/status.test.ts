import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assertStep, isCarried, isCurrent, isOver, STATUSES, type StepName, steps } from './status.ts';

const names = Object.keys(steps) as StepName[];

test('no step starts from an ended status', () => {
  for (const status of STATUSES.filter(isOver))
    for (const name of names) assert.throws(() => assertStep(name, status), { kind: 'delivery-over' });
});

test('a step is refused from every status where it does not start', () => {
  for (const name of names)
    for (const status of STATUSES.filter((each) => !isOver(each))) {
      const starts = (steps[name].from as readonly string[]).includes(status);
      if (starts) assertStep(name, status);
      else assert.throws(() => assertStep(name, status), { kind: 'step-out-of-order' });
    }
});

test('from every open status, steps lead to every ended status', () => {
  const reach = (from: string, seen = new Set([from])): Set<string> => {
    for (const { from: starts, to } of Object.values(steps))
      if ((starts as readonly string[]).includes(from) && !seen.has(to)) reach(to, seen.add(to));
    return seen;
  };
  for (const status of STATUSES.filter((each) => !isOver(each))) {
    const reached = reach(status);
    assert.ok(reached.has('cancelled'), `${status} can be cancelled`);
    assert.ok(reached.has('finished'), `${status} can be finished`);
    // A started delivery cannot end as not attended.
    assert.equal(reached.has('not_attended'), status !== 'in_progress');
  }
});

test('a current delivery counts as carried, and an ended one does not', () => {
  for (const status of STATUSES) {
    if (isCurrent(status)) assert.ok(isCarried(status));
    assert.ok(!(isCarried(status) && isOver(status)));
  }
});

for (const page of ['contract.md', 'contrato.pt-BR.md'])
  test(`docs/${page} has the same table of steps`, () => {
    const statusOf: Record<string, string> = {
      L: 'awaiting_release',
      D: 'distributing',
      P: 'pending',
      G: 'offered',
      A: 'accepted',
      S: 'on_hold',
      E: 'in_progress',
      F: 'finished',
      N: 'not_attended',
      C: 'cancelled',
    };
    const shown = readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter(([, from, , , to]) => /^[A-Z](, [A-Z])*$/.test(from ?? '') && /^[A-Z]$/.test(to ?? ''))
      .flatMap(([, from, , , to]) => from!.split(', ').map((each) => `${statusOf[each]} ${statusOf[to!]}`));
    const ours = Object.values(steps).flatMap(({ from, to }) => from.map((each) => `${each} ${to}`));
    assert.deepEqual(new Set(shown), new Set(ours));
  });
