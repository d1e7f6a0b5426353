import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { estimate, order, places } from '../support/orders.ts';
import { assertOk, assertRefused, newDriver } from '../support/steps.ts';

// Contract 3.1 and 4.8: once a stop is concluded, cancelling costs at least the price of what was
// carried out; concluding the last stop of a delivery without return finishes it.
const malote = await startMalote();
const { manager, operator } = malote;

const read = async (id: number) => assertOk(await manager.get(`/entregas/${id}`)).body.data;
const statusOf = async (id: number) => assertOk(await manager.get(`/entregas/${id}/status`)).body.data.status;
const history = async (id: number) => assertOk(await operator.get(`/entregas/${id}/historico`)).body.data;
const cancel = (id: number) => manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 });
const finish = (id: number) => operator.post(`/entregas/${id}/finalizar`);
const cents = (decimal: number | string) => Math.round(Number(decimal) * 100);
const balance = async () =>
  cents(
    assertOk(
      await manager.get(
        '/entregas/empresas/creditos/saldo?tipo_identificacao=I&identificacao=padaria-moinhos',
      ),
    ).body.data.saldo,
  );

async function start(changes: Record<string, unknown>): Promise<{ id: number; stopIds: number[] }> {
  const opened = assertOk(await manager.post('/entregas', order(changes)));
  const id = Number(opened.body.data.id_mch);
  const driverId = await newDriver(malote);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  return { id, stopIds: (await read(id)).paradas.map((stop: { id: string }) => Number(stop.id)) };
}
const conclude = async (id: number, stopId: number) =>
  assertOk(await operator.post(`/entregas/${id}/paradas/${stopId}/concluir`)).body.data;

/** The price that 4.1 estimates for a trip along these places of orders.ts, in this order. */
async function priceAlong(...indexes: number[]): Promise<number> {
  const last = places[indexes.at(-1)!]!;
  const before = indexes.slice(0, -1).map((index) => `${places[index]!.lat},${places[index]!.lng}`);
  const answer = await manager.post(
    '/entregas/empresas/1/estimativas',
    estimate({
      lat_desejado: Number(last.lat),
      lng_desejado: Number(last.lng),
      ...(before.length && { latlng_paradas: before.join('|') }),
    }),
  );
  return cents(assertOk(answer).body.data.estimativa_valor);
}

test('concluding the last stop of a delivery without return finishes it and charges the whole price', async () => {
  const before = await balance();
  const { id, stopIds } = await start({ ...at(0, 1), forma_pagamento: 'R' });
  assert.equal((await conclude(id, stopIds[0]!)).status, 'E');
  assert.equal((await conclude(id, stopIds[1]!)).status, 'F');
  assert.equal(await statusOf(id), 'F');
  const shown = await read(id);
  assert.notEqual(shown.data_hora_finalizacao, null);
  assert.equal(before - (await balance()), cents(shown.valor_corrida));
  assertOk(await manager.get(`/entregas/${id}/recibo`));
});

test('finalizar afterwards answers 200, changes nothing and is no second event', async () => {
  const { id, stopIds } = await start({ ...at(0), forma_pagamento: 'R' });
  await conclude(id, stopIds[0]!);
  const [shown, events, saldo] = [await read(id), await history(id), await balance()];
  malote.clock.advance({ minutes: 3 });
  for (const attempt of [1, 2]) {
    const answer = assertOk(await finish(id));
    assert.deepEqual(answer.body.data, { id_mch: String(id), status: 'F' }, `attempt ${attempt}`);
  }
  assert.deepEqual(await read(id), shown);
  assert.deepEqual(await history(id), events);
  assert.equal(await balance(), saldo);
});

test('after the last stop nothing is left to cancel, and the price stays charged', async () => {
  const { id, stopIds } = await start({ ...at(0), forma_pagamento: 'R' });
  await conclude(id, stopIds[0]!);
  const charged = await balance();
  assertRefused(await cancel(id), 406, /já foi finalizada, cancelada ou não atendida/);
  assert.equal(await balance(), charged);
});

test('after a concluded stop, cancelling costs the way from the pickup to it, and the rest is returned', async () => {
  const before = await balance();
  const { id, stopIds } = await start({ ...at(0, 6, 4), forma_pagamento: 'R' });
  const agreed = cents((await read(id)).valor_corrida);
  await conclude(id, stopIds[0]!);
  const answer = assertOk(await cancel(id));
  assert.deepEqual(answer.body, { success: true, message: 'entrega cancelada' });
  const expected = await priceAlong(0);
  assert.ok(expected < agreed);
  assert.equal(await statusOf(id), 'C');
  assert.equal(cents((await read(id)).taxas_cancelamento), expected);
  assert.equal(before - (await balance()), expected);
});

test('the concluded stops count in the order in which they were visited', async () => {
  const { id, stopIds } = await start(at(0, 6, 4, 5));
  await conclude(id, stopIds[2]!);
  await conclude(id, stopIds[0]!);
  assertOk(await cancel(id));
  const expected = await priceAlong(4, 0);
  assert.notEqual(expected, await priceAlong(0, 4));
  assert.equal(cents((await read(id)).taxas_cancelamento), expected);
});

test("it costs at least the central's cancellation fee, and never more than was agreed", async (t) => {
  const partial = await priceAlong(0);
  await malote.configureFor(t, { cancellationFeeCents: partial + 111 });
  const dearer = await start(at(0, 6, 4));
  await conclude(dearer.id, dearer.stopIds[0]!);
  assertOk(await cancel(dearer.id));
  assert.equal(cents((await read(dearer.id)).taxas_cancelamento), partial + 111);

  await malote.configure({ cancellationFeeCents: 900_000 });
  const before = await balance();
  const capped = await start({ ...at(0, 6), forma_pagamento: 'R' });
  await conclude(capped.id, capped.stopIds[0]!);
  assertOk(await cancel(capped.id));
  const shown = await read(capped.id);
  assert.equal(shown.taxas_cancelamento, shown.valor_corrida);
  assert.equal(before - (await balance()), cents(shown.valor_corrida));
});

test('a returning delivery stays in progress after its last stop; cancelling it then costs the way there', async () => {
  const before = await balance();
  const { id, stopIds } = await start({ ...at(0, 1), com_retorno: true, forma_pagamento: 'R' });
  await conclude(id, stopIds[0]!);
  assert.equal((await conclude(id, stopIds[1]!)).status, 'E');
  assert.equal(await statusOf(id), 'E');
  const agreed = cents((await read(id)).valor_corrida);
  assertOk(await cancel(id));
  const expected = await priceAlong(0, 1);
  assert.ok(expected < agreed);
  assert.equal(cents((await read(id)).taxas_cancelamento), expected);
  assert.equal(before - (await balance()), expected);
});

test('a returning delivery is finished by finalizar, once', async () => {
  const { id, stopIds } = await start({ ...at(0), com_retorno: true });
  await conclude(id, stopIds[0]!);
  assertOk(await finish(id));
  const events = await history(id);
  assertOk(await finish(id));
  assert.equal(await statusOf(id), 'F');
  assert.deepEqual(await history(id), events);
});

test('without a concluded stop cancelling costs what it did before: nothing, where the central asks no fee', async () => {
  const before = await balance();
  const { id } = await start({ ...at(0, 1), forma_pagamento: 'R' });
  assertOk(await cancel(id));
  assert.equal((await read(id)).taxas_cancelamento, null);
  assert.equal(await balance(), before);
});
