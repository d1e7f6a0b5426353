import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../../../../test/support/waitUntil.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { ClientGone, type HeavyRequest, heavyWork } from './heavyWork.ts';

const POOL = 10;
const login = (userId: number, centralId = 1) => ({ centralId, userId });

/** Parts of work that end when the test says so. */
function controlled() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const part = (name: string) => async () => {
    started.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    return name;
  };
  return { started, part, end: (name: string) => ends.get(name)!() };
}

function counting(): () => number {
  let count = 0;
  return () => {
    count += 1;
    return count;
  };
}

/** Far more than may be open, so that a missing bound ends the test. */
const BEGUN_MAX = 1_000;

function beginUntilRefused(begin: () => HeavyRequest): { begun: HeavyRequest[]; refusal: unknown } {
  const begun: HeavyRequest[] = [];
  try {
    while (begun.length < BEGUN_MAX) begun.push(begin());
  } catch (refusal) {
    return { begun, refusal };
  }
  return assert.fail(`${BEGUN_MAX} are open, and none is refused`);
}

test('a login with too many open requests is refused, others are not, and the end of one makes room', () => {
  const work = heavyWork(POOL);
  const { begun, refusal } = beginUntilRefused(() => work.begin(login(1)));
  assert.ok(refusal instanceof Refusal);
  assert.equal(refusal.kind, 'too-much-at-once');
  assert.ok(Number(refusal.details.seconds) > 0);
  work.begin(login(2));
  begun[0]!.end();
  begun[0]!.end();
  work.begin(login(1));
  assert.throws(() => work.begin(login(1)), { kind: 'too-much-at-once' });
});

test('the logins of one central, and all together, are bounded too', () => {
  const work = heavyWork(POOL);
  const next = counting();
  const ofCentral = beginUntilRefused(() => work.begin(login(next(), 1))).begun.length;
  work.begin(login(1, 2));
  const ofProcess = beginUntilRefused(() => work.begin(login(1, 1_000 + next()))).begun.length;
  assert.ok(ofProcess > ofCentral);
  assert.equal(work.figures().open, ofCentral + 1 + ofProcess);
});

test('a login has two parts running, and a central leaves room for the others', async () => {
  const work = heavyWork(POOL);
  const { started, part, end } = controlled();
  const [first, second, third] = [work.begin(login(1)), work.begin(login(2)), work.begin(login(1, 2))];
  const turns = [
    ...['a', 'b', 'c'].map((name) => first.turn(part(name))),
    ...['d', 'e'].map((name) => second.turn(part(name))),
    third.turn(part('f')),
  ];
  await waitUntil('four have begun', () => started.length === 4);
  assert.deepEqual(started, ['a', 'b', 'd', 'f']);
  end('a');
  await waitUntil('another one has begun', () => started.length > 4);
  assert.deepEqual(started, ['a', 'b', 'd', 'f', 'c']);
  for (const name of ['b', 'd', 'f', 'c']) end(name);
  await Promise.all(turns.slice(0, 4));
  await waitUntil('the last one has begun', () => started.includes('e'));
  end('e');
  assert.deepEqual(await Promise.all(turns), ['a', 'b', 'c', 'd', 'e', 'f']);
  assert.deepEqual(work.figures(), { open: 3, running: 0, waiting: 0 });
});

test('the end of a request takes back the parts that wait, and refuses new ones', async () => {
  const work = heavyWork(POOL);
  const { started, part, end } = controlled();
  const [kept, gone] = [work.begin(login(1)), work.begin(login(1))];
  const running = [kept.turn(part('a')), kept.turn(part('b'))];
  const waiting = gone.turn(part('c'));
  gone.end();
  await assert.rejects(waiting, ClientGone);
  await assert.rejects(gone.turn(part('d')), ClientGone);
  await waitUntil('two have begun', () => started.length === 2);
  for (const name of ['a', 'b']) end(name);
  await Promise.all(running);
  assert.deepEqual(started, ['a', 'b']);
  assert.deepEqual(work.figures(), { open: 1, running: 0, waiting: 0 });
});

test('a part that fails gives its turn to the next', async () => {
  const work = heavyWork(1);
  const request = work.begin(login(1));
  const failing = request.turn(() => {
    throw new Error('at once');
  });
  const next = request.turn(async () => 'next');
  await assert.rejects(failing, /at once/);
  assert.equal(await next, 'next');
});
