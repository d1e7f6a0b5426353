import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countStatements } from '../support/countStatements.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { setBalance } from '../support/rows.ts';
import { assertOk, newDriver, openDelivery } from '../support/steps.ts';

/*
 * The number of times a step waits for PostgreSQL. Statements that are sent together count once. The first journey
 * fills caches and reserves ids, the second is counted. A block of ids may run out during it, so each limit allows one
 * more.
 */

const malote = await startMalote();

async function tripsOf(path: string, body: unknown = {}): Promise<number> {
  const { statements } = await countStatements(async () => assertOk(await malote.operator.post(path, body)));
  return statements.length;
}

/** The round trips of each step of a delivery with two stops that returns. */
async function journey(payment: string): Promise<Record<string, number>> {
  const { id, stopIds } = await openDelivery(malote, { com_retorno: true, forma_pagamento: payment }, 2);
  const driverId = await newDriver(malote);
  return {
    accept: await tripsOf(`/entregas/${id}/aceitar`, { condutor_id: driverId }),
    start: await tripsOf(`/entregas/${id}/iniciar`),
    first: await tripsOf(`/entregas/${id}/paradas/${stopIds[0]}/concluir`),
    last: await tripsOf(`/entregas/${id}/paradas/${stopIds[1]}/concluir`),
    finish: await tripsOf(`/entregas/${id}/finalizar`),
  };
}

const LIMITS = { accept: 4, start: 4, first: 3, last: 3, finish: 4 };

for (const [payment, limits] of [
  ['D', LIMITS],
  // The refund to the wallet and the charge are waited for, because the wallet may refuse them.
  ['R', { ...LIMITS, finish: 6 }],
] as const)
  test(`the steps of a delivery paid by ${payment} wait for the database so often`, async (t) => {
    await malote.configureFor(t, { shareKind: 'percent', sharePercent: 70 });
    await setBalance(malote, 100_000);
    await journey(payment);
    const counted = await journey(payment);
    for (const [step, limit] of Object.entries(limits)) {
      const trips = counted[step]!;
      assert.ok(trips >= 1 && trips <= limit, `${step}: ${trips} of ${limit}`);
    }
  });

test('a creation waits for the database once, and three times with an Idempotency-Key', async () => {
  const create = async (headers: Record<string, string>) =>
    (await countStatements(async () => assertOk(await malote.manager.post('/entregas', order(), headers))))
      .statements.length;
  await create({});
  assert.ok((await create({})) <= 2);
  const keyed = [
    await create({ 'idempotency-key': 'so often' }),
    await create({ 'idempotency-key': 'once more' }),
  ];
  assert.ok(Math.min(...keyed) <= 3, `${keyed}`);
  assert.equal(await create({ 'idempotency-key': 'so often' }), 1, 'a repetition reads the answer');
});
