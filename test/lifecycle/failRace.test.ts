import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { Answer, Json } from '../support/client.ts';
import { failing } from '../support/failures.ts';
import { assertNoClaims, assertWalletsBalanced, at, groupDeliveries, start } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, countStatuses, type TestDelivery } from '../support/steps.ts';

// Real concurrent requests on separate connections. In any order the result is consistent: each stop exists once and
// has one outcome, nothing is charged twice, and no request is answered with an internal error.
const malote = await startMalote();
const { manager, operator, db } = malote;
const { fail, conclude, reopen, resolve, redeliver, detail } = failing(malote);
const ROUNDS = 6;

before(async () => {
  const empresa = { tipo_identificacao: 'I', identificacao: 'padaria-moinhos' };
  assertOk(await malote.central.post('/entregas/empresas/creditos/recargas', { valor: 100_000, empresa }));
});

async function onTheWay(...places: number[]): Promise<TestDelivery> {
  const id = await start(malote, { ...at(...places), forma_pagamento: 'R' });
  const { paradas } = await detail({ id });
  return { id, stopIds: paradas.map((stop: Json) => Number(stop.id)), driverId: null };
}
const cancel = ({ id }: TestDelivery) => manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 });
const finish = ({ id }: TestDelivery) => operator.post(`/entregas/${id}/finalizar`, {});

async function assertSound(answers: readonly Answer[], allowed: readonly number[]): Promise<void> {
  for (const { status, text } of answers) assert.ok(allowed.includes(status), `${status}: ${text}`);
  const held = await db`
    select id from deliveries where central_id = 1 and reserved_cents <> 0
      and (status in ('finished', 'cancelled', 'not_attended') or grouped_into is not null)`;
  assert.deepEqual(held, [], 'nothing is held for what is over or carried by another');
  const unpaid = await db`
    select id from deliveries where central_id = 1 and payment = 'credit_wallet' and grouped_into is null
      and status = 'in_progress' and reserved_cents <> net_cents`;
  assert.deepEqual(unpaid, [], 'what is on its way holds its price');
  const charged = await db`
    select delivery_id from wallet_entries where central_id = 1 and kind in ('settlement', 'cancellation_fee')
    group by delivery_id having count(*) > 1`;
  assert.deepEqual(charged, [], 'nothing is charged twice');
  const twofold = await db`
    select s.id from stops s where s.central_id = 1 and (
      s.not_delivered <> exists (select from stop_attempts a where a.central_id = 1 and a.stop_id = s.id
        and a.decision <> 'retry' and a.undone_at is null)
      or (select count(*) from stop_attempts a where a.central_id = 1 and a.stop_id = s.id
        and a.decision <> 'retry' and a.undone_at is null) > 1
      or (select count(*) from events e where e.central_id = 1 and e.delivery_id = s.delivery_id
        and e.type in ('delivery.stop_concluded', 'delivery.stop_failed')
        and (e.payload ->> 'stopId')::bigint = s.id and e.payload ->> 'decision' is distinct from 'retry')
        > 1 + (select count(*) from stop_attempts a where a.central_id = 1 and a.stop_id = s.id
          and a.undone_at is not null))`;
  assert.deepEqual(twofold, [], 'a stop has one outcome');
  const stranded = await db`
    select d.id from deliveries d where d.central_id = 1 and d.grouped_into is null and d.status = 'in_progress'
      and not d.has_return and not exists (
        select from stops s where s.central_id = 1 and s.delivery_id = d.id and s.concluded_at is null)`;
  assert.deepEqual(stranded, [], 'one without anything to do has ended');
  await assertWalletsBalanced(malote);
  await assertNoClaims(malote);
}

test('failing and concluding the same stop at once: one of them counts', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const delivery = await onTheWay(1, 2);
    const answers = await Promise.all([
      fail(delivery, 0, { motivo: 'recusado' }),
      conclude(delivery),
      fail(delivery, 0, { motivo: 'outro' }),
      conclude(delivery),
    ]);
    assert.deepEqual(countStatuses(answers), { 200: 1, 406: 3 });
    await assertSound(answers, [200, 406]);
  }
});

test('failing and concluding different stops at once: both count, and the end follows', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const delivery = await onTheWay(1, 2);
    const answers = await Promise.all([fail(delivery, 0, { motivo: 'recusado' }), conclude(delivery, 1)]);
    assert.deepEqual(countStatuses(answers), { 200: 2 }, answers.map(({ text }) => text).join());
    await assertSound(answers, [200]);
    assertOk(await finish(delivery));
  }
});

test('failing and grouping at once: no stop is lost, and what goes back still does', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [carrier, inside] = [await onTheWay(1), await onTheWay(4, 5)];
    const [grouping, failure] = await Promise.all([
      groupDeliveries(malote, carrier.id, [inside.id]),
      fail(inside, 0, { motivo: 'recusado' }),
    ]);
    await assertSound([grouping, failure], [200, 400, 406, 409]);
    assert.ok([200, 406].includes(failure.status), failure.text);
    const all = await db`
      select id from stops where central_id = 1 and ordered_with = any(${[carrier.id, inside.id]}::bigint[])`;
    assert.equal(all.length, 3);
    if (failure.status !== 200) continue;
    const holder = await detail(grouping.status === 200 ? carrier : inside);
    assert.equal(holder.com_retorno, true, 'the goods go back with whoever carries them');
  }
});

test('failing and cancelling at once: the one that comes second sees the first', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const delivery = await onTheWay(1, 2);
    const [failure, cancellation] = await Promise.all([
      fail(delivery, 0, { motivo: 'recusado' }),
      cancel(delivery),
    ]);
    assertOk(cancellation);
    assert.ok([200, 406].includes(failure.status), failure.text);
    const read = await detail(delivery);
    assert.equal(read.status, 'C');
    assert.equal(read.taxa_cancelamento !== null, failure.status === 200, 'what was driven is paid for');
    await assertSound([failure, cancellation], [200, 406]);
  }
});

/**
 * After any steps on two deliveries, each of their stops still exists once: in one delivery, at one position, with one
 * outcome.
 */
test('stops are conserved through every sequence of failures, conclusions, groupings and their undoing', async () => {
  const verbs = fc.constantFrom(
    'fail',
    'fail',
    'conclude',
    'reopen',
    'resolve',
    'group',
    'finish',
    'redeliver',
  );
  const reasons = fc.constantFrom('ausente', 'recusado', 'outro');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(verbs, fc.nat(2), fc.nat(2), reasons), { minLength: 4, maxLength: 12 }),
      async (steps) => {
        const deliveries = [await onTheWay(1, 2, 3), await onTheWay(4, 5)];
        const answers: Answer[] = [];
        for (const [verb, which, stop, motivo] of steps) {
          const target = deliveries[which % 2]!;
          const { paradas } = await detail(target);
          const carried = { ...target, stopIds: paradas.map(({ id }: Json) => Number(id)) };
          const index = stop % Math.max(1, paradas.length);
          if (verb === 'fail') answers.push(await fail(carried, index, { motivo }));
          if (verb === 'conclude') answers.push(await conclude(carried, index));
          if (verb === 'reopen') answers.push(await reopen(carried, index));
          if (verb === 'resolve') answers.push(await resolve(carried, index));
          if (verb === 'redeliver') answers.push(await redeliver(carried, index));
          if (verb === 'finish') answers.push(await finish(carried));
          if (verb === 'group')
            answers.push(await groupDeliveries(malote, deliveries[0]!.id, [deliveries[1]!.id]));
        }
        await assertSound(answers, [200, 404, 406, 409]);
        const ids = deliveries.map(({ id }) => id);
        const stops = await db<{ carrier: number; position: number }>`
          select delivery_id as carrier, position from stops
          where central_id = 1 and ordered_with = any(${ids}::bigint[]) order by delivery_id, position`;
        assert.equal(stops.length, 5);
        for (const id of ids) {
          const places = stops.filter(({ carrier }) => carrier === id).map(({ position }) => position);
          assert.deepEqual(places, [...places.keys()], 'places run without a gap');
        }
      },
    ),
    { numRuns: 12 },
  );
});
