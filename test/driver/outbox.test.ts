import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Action, laneOf } from '../../web/driver/src/core/action.ts';
import { backoffMs, type Entry, type Outcome } from '../../web/driver/src/core/outbox.ts';
import { arrive, memory, nextTurn, refusal, start, startPhone, WHEN } from './outboxPhone.ts';

test('actions of a delivery go out in their order, each after the answer to the one before', async () => {
  const asked: Entry[] = [];
  const answers: ((outcome: Outcome) => void)[] = [];
  const { outbox, pass } = await startPhone((entry) => {
    asked.push(entry);
    return new Promise((resolve) => answers.push(resolve));
  });
  await outbox.add([arrive('1'), start('1')], WHEN);
  await pass(60_000);
  assert.deepEqual(
    asked.map(({ action }) => action.kind),
    ['arrive-pickup'],
  );
  answers[0]!({ kind: 'done' });
  await pass(0);
  assert.deepEqual(
    asked.map(({ action }) => action.kind),
    ['arrive-pickup', 'start'],
  );
  assert.equal(asked[0]!.happenedAt, WHEN);
  assert.notEqual(asked[0]!.key, asked[1]!.key);
});

test('without an answer the same action is sent again with the same key, after growing pauses', async () => {
  const keys: string[] = [];
  const { outbox, pass } = await startPhone(async ({ key }) => {
    keys.push(key);
    return { kind: 'later', afterMs: null };
  });
  await outbox.add([arrive('1')], WHEN);
  await pass(0);
  assert.equal(keys.length, 1);
  await pass(999);
  assert.equal(keys.length, 1);
  await pass(1);
  assert.equal(keys.length, 2);
  await pass(1_999);
  assert.equal(keys.length, 2);
  await pass(1);
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  assert.equal(backoffMs(20, 1), 30_000);
  assert.equal(backoffMs(20, 0), 15_000);
});

test('a server that names a pause is not asked before', async () => {
  let sent = 0;
  const { outbox, pass } = await startPhone(async () => {
    sent += 1;
    return { kind: 'later', afterMs: 20_000 };
  });
  await outbox.add([arrive('1')], WHEN);
  await pass(19_999);
  assert.equal(sent, 1);
  await pass(1);
  assert.equal(sent, 2);
});

test('when the network comes back nothing waits for its pause', async () => {
  let isOnline = false;
  const { outbox, pass } = await startPhone(async () =>
    isOnline ? { kind: 'done' } : { kind: 'later', afterMs: null },
  );
  await outbox.add([arrive('1'), start('1')], WHEN);
  await pass(0);
  isOnline = true;
  outbox.sendNow();
  await pass(0);
  assert.deepEqual(
    outbox.entries().map(({ state }) => state),
    ['sent', 'sent'],
  );
});

test('a refusal stops its delivery, keeps everything, and lets other deliveries go on', async () => {
  const sent: string[] = [];
  const { outbox, storage, pass } = await startPhone(async ({ action }) => {
    sent.push(`${laneOf(action)} ${action.kind}`);
    return laneOf(action) === 'delivery 1' ? { kind: 'refused', refusal } : { kind: 'done' };
  });
  await outbox.add([arrive('1'), start('1'), arrive('2')], WHEN);
  await pass(60_000);
  assert.deepEqual(sent, ['delivery 1 arrive-pickup', 'delivery 2 arrive-pickup']);
  assert.deepEqual(
    outbox.entries().map(({ state }) => state),
    ['refused', 'waiting', 'sent'],
  );
  assert.deepEqual(storage.kept.get(1)!.refusal, refusal);
});

test('a refused action is tried again, corrected, or discarded, and the rest of its delivery follows', async () => {
  let isRefused = true;
  const sent: Entry[] = [];
  const { outbox, pass } = await startPhone(async (entry) => {
    sent.push(entry);
    return isRefused ? { kind: 'refused', refusal } : { kind: 'done' };
  });
  const conclude: Action = {
    kind: 'conclude',
    deliveryId: '1',
    stopId: '1',
    body: { codigo_confirmacao: 1 },
  };
  await outbox.add([conclude, { kind: 'finish', deliveryId: '1' }], WHEN);
  await pass(0);
  await outbox.retry(1);
  await pass(0);
  assert.equal(sent.length, 2);
  assert.equal(sent[0]!.key, sent[1]!.key, 'the same action');
  isRefused = false;
  await outbox.retry(1, { ...conclude, body: { codigo_confirmacao: 2 } });
  await pass(0);
  assert.notEqual(sent[1]!.key, sent[2]!.key, 'another action');
  assert.deepEqual(
    outbox.entries().map(({ state }) => state),
    ['sent', 'sent'],
  );
  isRefused = true;
  await outbox.add([arrive('2'), start('2')], WHEN);
  await pass(0);
  isRefused = false;
  await outbox.discard([3]);
  await pass(0);
  assert.deepEqual(
    outbox.entries().map(({ seq, state }) => [seq, state]),
    [
      [1, 'sent'],
      [2, 'sent'],
      [4, 'sent'],
    ],
  );
});

test('the next delivery is not started before the server knows the end of the one before', async () => {
  const sent: string[] = [];
  let failures = 4;
  const { outbox, pass } = await startPhone(async ({ action }) => {
    sent.push(laneOf(action));
    failures -= 1;
    return failures >= 0 ? { kind: 'later', afterMs: null } : { kind: 'done' };
  });
  await outbox.add([{ kind: 'finish', deliveryId: '1' }, start('2')], WHEN);
  for (let round = 0; round < 6; round += 1) await pass(30_000);
  assert.deepEqual(sent, [...Array(5).fill('delivery 1'), 'delivery 2']);
});

test('an action that the server fails to answer again and again does not hold up other deliveries', async () => {
  const { outbox, pass } = await startPhone(async ({ action }) =>
    laneOf(action) === 'delivery 1' ? { kind: 'later', afterMs: null } : { kind: 'done' },
  );
  await outbox.add([arrive('1'), arrive('2')], WHEN);
  for (let round = 0; round < 6; round += 1) await pass(30_000);
  assert.deepEqual(
    outbox.entries().map(({ state }) => state),
    ['waiting', 'sent'],
  );
});

test('a person who signs in on the same phone does not send what another one did', async () => {
  const sent: string[] = [];
  const { outbox, pass } = await startPhone(async ({ driverId }) => {
    sent.push(driverId);
    return sent.length === 1 ? { kind: 'signed-out' } : { kind: 'done' };
  });
  await outbox.add([arrive('1')], WHEN);
  await pass(60_000);
  assert.equal(sent.length, 1, 'nothing is sent while nobody is signed in');
  await assert.rejects(outbox.add([start('1')], WHEN), /nobody is signed in/);
  outbox.actFor('2');
  await pass(60_000);
  assert.equal(sent.length, 1);
  outbox.actFor('1');
  await pass(0);
  assert.deepEqual(sent, ['1', '1']);
});

test('a sent action is shown until the server has been read again', async () => {
  const { outbox, pass } = await startPhone(async () => ({ kind: 'done' }));
  await outbox.add([arrive('1')], WHEN);
  await pass(0);
  const taken = outbox.takeSent();
  await outbox.add([start('1')], WHEN);
  await pass(0);
  await outbox.forget(taken);
  assert.deepEqual(
    outbox.entries().map(({ action }) => action.kind),
    ['start'],
  );
});

/** An event in the life of a phone. */
type Happening =
  | { kind: 'do'; lane: number }
  | { kind: 'kill' | 'online' }
  | { kind: 'pass'; ms: number }
  /** The fate of the next requests: lost, answered without the answer arriving, or answered by an overloaded server. */
  | { kind: 'fate'; of: ('request-lost' | 'answer-lost' | 'busy' | 'killed-before-answer')[] };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('do' as const), lane: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('kill' as const, 'online' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 40_000 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('fate' as const),
      of: fc.array(
        fc.constantFrom(
          'request-lost' as const,
          'answer-lost' as const,
          'busy' as const,
          'killed-before-answer' as const,
        ),
        { minLength: 1, maxLength: 8 },
      ),
    }),
  },
);

test('whatever is cut, killed or answered twice, each action is applied exactly once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 40 }), async (happenings) => {
      const done: string[] = [];
      const applied: string[] = [];
      const keysSeen = new Set<string>();
      const fates: string[] = [];
      const storage = memory();
      let life = 0;
      /** The server: a key that it knows changes nothing again. */
      const send = async ({ key, action }: Entry): Promise<Outcome> => {
        const fate = fates.shift();
        if (fate === 'request-lost') throw new Error('no network');
        if (fate === 'busy') return { kind: 'later', afterMs: 500 };
        if (!keysSeen.has(key)) {
          keysSeen.add(key);
          applied.push((action as { text: string }).text);
        }
        if (fate === 'killed-before-answer') life += 1;
        if (fate === 'answer-lost') throw new Error('no network');
        return { kind: 'done' };
      };
      const start = () => {
        life += 1;
        const own = life;
        return startPhone(send, storage, () => life !== own);
      };
      let phone = await start();
      let own = life;
      for (const happened of happenings) {
        if (life !== own || happened.kind === 'kill') {
          phone = await start();
          own = life;
        }
        if (happened.kind === 'online') phone.outbox.sendNow();
        else if (happened.kind === 'pass') await phone.pass(happened.ms);
        else if (happened.kind === 'fate') fates.push(...happened.of);
        else if (happened.kind === 'do') {
          const text = `${happened.lane}: ${done.length}`;
          const before = storage.kept.size;
          const stored = phone.outbox.add(
            [{ kind: 'arrive-pickup', deliveryId: String(happened.lane), text } as Action],
            WHEN,
          );
          await Promise.race([stored, nextTurn()]);
          // Only stored actions count as done: the button reacts after storing.
          if (storage.kept.size > before) done.push(text);
        }
        await nextTurn();
      }
      // Finally the network works again and the app is opened once more.
      fates.length = 0;
      phone = await start();
      for (let round = 0; round < 20; round += 1) await phone.pass(30_000);

      assert.deepEqual(byLane(applied), byLane(done));
      assert.ok([...storage.kept.values()].every(({ state }) => state === 'sent'));
    }),
    { numRuns: 200 },
  );
});

const byLane = (texts: readonly string[]) => Object.groupBy(texts, (text) => text.split(':')[0]!);
