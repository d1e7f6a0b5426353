import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { wholeCentral } from '../../../server/src/centrals/caller.ts';
import { recordDeliveryEvent } from '../../../server/src/deliveries/deliveries/stepStore.ts';
import { serviceActor } from '../../../server/src/events/record/event.ts';
import { systemClock } from '../../../server/src/platform/kernel/clock.ts';
import { randomFrom } from '../../../server/src/platform/kernel/random.ts';
import { startMalote } from '../../support/malote.ts';
import { order } from '../../support/orders.ts';
import { assertOk } from '../../support/steps.ts';
import { type Arrival, addWebhook, startReceiver } from '../../support/webhookReceiver.ts';

const DELIVERIES = 250;
const CHANGES_EACH = 20;
const CHANGES = DELIVERIES * CHANGES_EACH;
const KILLS = 3;
/** Generous, because a busy machine is slow. */
const TIMEOUT_MS = 300_000;

const malote = await startMalote();
const random = randomFrom(20261115);

/** Answers a received message, or fails in a way that leaves the sender without an answer. */
function answerSomehow(response: ServerResponse): void {
  const dice = random();
  if (dice < 0.03) return; // no answer until the sender gives up
  if (dice < 0.1) return void response.writeHead(500).end('erro');
  if (dice < 0.14) return void response.destroy();
  if (dice < 0.18) {
    response.writeHead(200, { 'content-length': '1000' }).write('ok');
    setTimeout(() => response.destroy(), 5);
    return;
  }
  response.writeHead(200).end('ok');
}

function startSender(): ChildProcess {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../support/webhookSenderProcess.ts')],
    {
      env: { ...process.env, SENDER_PG: JSON.stringify(malote.connection) },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  after(() => void child.kill('SIGKILL'));
  return child;
}

test(`of ${CHANGES} changes none is lost, while the receiver fails at random and the sender is killed ${KILLS} times`, async (t) => {
  const opened = await Promise.all(
    Array.from({ length: DELIVERIES }, () => malote.manager.post('/entregas', order())),
  );
  const deliveryIds = opened.map((answer) => Number(assertOk(answer).body.data.id_mch));
  const receiver = await startReceiver(t);
  receiver.answer = (_arrival, response) => answerSomehow(response);
  await addWebhook(malote.db, wholeCentral(1), receiver.url, systemClock.now(), ['delivery.status']);

  const killed = killSenders(
    () => receiver.arrivals.length,
    () => receiver.goAway(300 + random() * 500),
  );
  await makeChanges(deliveryIds);
  await killed;
  await untilAllDelivered();

  const events = await malote.db<{ uid: string; delivery_id: number; sequence: number }>`
    select uid, delivery_id, sequence from events
    where central_id = 1 and type = 'delivery.status' and sequence > 1 order by id`;
  assert.equal(events.length, CHANGES);
  assertNoneLost(receiver.arrivals, events);
  assertInOrder(receiver.arrivals);
  assertStable(receiver.arrivals);
});

/** Several at once, each in its own transaction, as fast as possible. No two of the same delivery at a time. */
async function makeChanges(deliveryIds: readonly number[]): Promise<void> {
  const statuses = ['offered', 'distributing'] as const;
  for (let round = 0; round < CHANGES_EACH; round += 1) {
    const waiting = [...deliveryIds];
    const work = async () => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        const payload = { status: statuses[round % 2]!, previousStatus: statuses[(round + 1) % 2]! };
        const event = { deliveryId: id, type: 'delivery.status', payload } as const;
        await malote.db.begin((tx) => recordDeliveryEvent(tx, 1, event, serviceActor(systemClock.now())));
      }
    };
    await Promise.all([work(), work(), work(), work()]);
  }
}

/**
 * Kills the sender each time that it has sent another part of them. In between the receiver is unreachable for a while.
 */
async function killSenders(arrived: () => number, goAway: () => Promise<void>): Promise<void> {
  let sender = startSender();
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const since = Date.now();
    while (arrived() < (CHANGES * kill) / (KILLS + 1)) {
      assert.ok(Date.now() - since < TIMEOUT_MS, 'hardly anything arrives');
      await sleep(5);
    }
    sender.kill('SIGKILL');
    await once(sender, 'exit');
    sender = startSender();
    await goAway();
  }
}

async function untilAllDelivered(): Promise<void> {
  for (const since = Date.now(); Date.now() - since < TIMEOUT_MS; await sleep(100)) {
    const [left] = await malote.db<{ count: number }>`
      select count(*) from webhook_messages where state <> 'delivered'`;
    if (left!.count === 0) return;
  }
  const left = await malote.db`select state, count(*), max(attempts) from webhook_messages group by state`;
  assert.fail(`not all were delivered: ${JSON.stringify(left)}`);
}

function assertNoneLost(arrivals: readonly Arrival[], events: readonly { uid: string }[]): void {
  const arrived = new Set(arrivals.map(({ id }) => id));
  assert.deepEqual(
    events.filter(({ uid }) => !arrived.has(uid)),
    [],
  );
  assert.equal(arrived.size, events.length, 'nothing arrived that did not happen');
}

function assertInOrder(arrivals: readonly Arrival[]): void {
  const last = new Map<string, number>();
  const seen = new Set<string>();
  for (const { id, body } of arrivals) {
    if (seen.has(id)) continue;
    seen.add(id);
    const before = last.get(body.data.id) ?? 1;
    assert.equal(body.data.sequencia, before + 1, `delivery ${body.data.id}`);
    last.set(body.data.id, body.data.sequencia);
  }
}

/** An event is the same in every attempt. */
function assertStable(arrivals: readonly Arrival[]): void {
  const texts = new Map<string, string>();
  let repeated = 0;
  for (const { id, text } of arrivals) {
    const known = texts.get(id);
    if (known !== undefined) repeated += 1;
    assert.equal(known ?? text, text);
    texts.set(id, text);
  }
  assert.ok(repeated > 0, 'the faults led to no repetition, so nothing was tried');
}
