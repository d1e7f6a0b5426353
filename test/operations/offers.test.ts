import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../server/src/platform/postgres/ids.ts';
import { startMalote } from '../support/malote.ts';
import { distributeOnce } from '../support/rounds.ts';
import { assertOk, assertRefused, deliveryIn, newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator } = malote;

const read = async (id: number) => assertOk(await malote.manager.get(`/entregas/${id}`)).body.data;
const offersOf = (id: number) =>
  malote.db<{ driver_id: number; state: string }>`
    select driver_id, state from offers where central_id = 1 and delivery_id = ${id} order by id`;

test('assigning offers the delivery to that driver alone and marks it as asked for', async () => {
  const { id } = await openDelivery(malote);
  const answer = assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 1 }));
  assert.deepEqual(answer.body.data, { id_mch: String(id), status: 'G' });
  const delivery = await read(id);
  assert.equal(delivery.status_solicitacao, 'G');
  assert.equal(delivery.condutor_especificado, true);
  // No driver has accepted it yet.
  assert.equal(delivery.condutor_id, '');
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 2 }));
  assert.deepEqual(await offersOf(id), [
    { driver_id: 1, state: 'withdrawn' },
    { driver_id: 2, state: 'open' },
  ]);
});

test('assigning to the same driver again keeps one open offer', async () => {
  const { id } = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 1 }));
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 1 }));
  assert.deepEqual(
    (await offersOf(id)).filter(({ state }) => state === 'open'),
    [{ driver_id: 1, state: 'open' }],
  );
});

test('assigning needs a driver of the central', async () => {
  const { id } = await openDelivery(malote);
  const unnamed = await operator.post(`/entregas/${id}/atribuir`, {});
  assert.equal(unnamed.status, 400);
  assert.deepEqual(unnamed.body.errors, [
    { code: 2, message: "'condutor_id': é obrigatório", kind: 'invalid-input' },
  ]);
  for (const driverId of [999_999, 10_000_001])
    assertRefused(
      await operator.post(`/entregas/${id}/atribuir`, { condutor_id: driverId }),
      404,
      /entregador não encontrado/,
    );
});

test('a refused offer sends the delivery back to distribution', async () => {
  const { id } = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 1 }));
  const answer = assertOk(await malote.driver(1).post(`/entregas/${id}/recusar`));
  assert.deepEqual(answer.body.data, { id_mch: String(id), status: 'D' });
  assert.equal((await read(id)).condutor_especificado, false);
  assert.deepEqual(await offersOf(id), [{ driver_id: 1, state: 'refused' }]);
});

test('the reason of a refusal belongs to the refused offer, also beside an earlier offer with a higher id', async () => {
  const { id } = await openDelivery(malote);
  const offerAndRefuse = async (why: object) => {
    assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 1 }));
    assertOk(await malote.driver(1).post(`/entregas/${id}/recusar`, why));
  };
  await offerAndRefuse({});
  // As if another process had made this offer: ids come in blocks for each process.
  await malote.db`update offers set id = id + 100000 where central_id = 1 and delivery_id = ${id}`;
  malote.clock.advance({ minutes: 1 });
  await offerAndRefuse({ motivo: 'longe', observacao: 'do outro lado do rio' });
  const refusals = await malote.db`
    select refusal_reason, refusal_note from offers
    where central_id = 1 and delivery_id = ${id} order by offered_at`;
  assert.deepEqual(refusals, [
    { refusal_reason: null, refusal_note: null },
    { refusal_reason: 'far', refusal_note: 'do outro lado do rio' },
  ]);
});

test('the search begins anew after the driver whom an operator named said no', async () => {
  const { id } = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 1 }));
  malote.clock.advance({ hours: 3 });
  assertOk(await malote.driver(1).post(`/entregas/${id}/recusar`));
  await distributeOnce(malote.app.deps);
  assert.notEqual((await read(id)).status_solicitacao, 'N');
});

test('while another driver has not answered yet, a refused delivery stays offered', async () => {
  const { id } = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 1 }));
  await malote.db`
    insert into offers (central_id, id, delivery_id, driver_id, state, offered_at)
    values (1, ${await newId(malote.db, 1, 'offer')}, ${id}, 2, 'open', ${malote.clock.now()})`;
  assert.equal(assertOk(await malote.driver(1).post(`/entregas/${id}/recusar`)).body.data.status, 'G');
  assertRefused(await malote.driver(1).post(`/entregas/${id}/recusar`), 406, /não está mais oferecida/);
  assertRefused(await malote.driver(3).post(`/entregas/${id}/recusar`), 404, /não encontrada/);
  assert.equal(
    assertOk(await operator.post(`/entregas/${id}/recusar`, { condutor_id: 2 })).body.data.status,
    'D',
  );
});

test('a driver who gives up leaves the delivery to others and counts as having refused it', async () => {
  const delivery = await deliveryIn(malote, 'accepted');
  assertOk(await operator.post(`/entregas/${delivery.id}/chegar`));
  const answer = assertOk(await operator.post(`/entregas/${delivery.id}/desistir`));
  assert.deepEqual(answer.body.data, { id_mch: String(delivery.id), status: 'D' });
  const left = await read(delivery.id);
  assert.equal(left.condutor_id, '');
  assert.equal(left.data_hora_aceite, null);
  assert.equal(left.data_hora_chegada_local, null);
  assert.equal(left.distancia_coleta_km, '0.00');
  assert.equal(left.condutor_especificado, false);
  assert.deepEqual(await offersOf(delivery.id), [{ driver_id: delivery.driverId, state: 'refused' }]);
});

test('a driver who gives up an assigned delivery can be assigned and accept it again', async () => {
  const { id } = await openDelivery(malote);
  const driverId = await newDriver(malote);
  for (let round = 0; round < 2; round += 1) {
    assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: driverId }));
    assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
    assertOk(await operator.post(`/entregas/${id}/desistir`));
  }
  assert.deepEqual(await offersOf(id), [
    { driver_id: driverId, state: 'refused' },
    { driver_id: driverId, state: 'refused' },
  ]);
});

test('cancelling withdraws what is offered', async () => {
  const delivery = await deliveryIn(malote, 'offered');
  assertOk(await malote.manager.post(`/entregas/${delivery.id}/cancelar`, { motivo_id: 2 }));
  assert.deepEqual(await offersOf(delivery.id), [{ driver_id: delivery.driverId, state: 'withdrawn' }]);
});
