import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tidyUp } from '../../server/src/dispatch/rounds/tidyUp.ts';
import { client, type Json } from '../support/client.ts';
import { newDevice } from '../support/device.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, assertRefused, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator, db, clock } = malote;
const loginAs = (user: string, key = 'demo-chave') =>
  client(`${malote.url}/api/v2/operacao`, { key, user, password: 'demo' });
const asked = async (who = operator): Promise<Json[]> =>
  assertOk(await who.get('/resumo')).body.data.pedidos_ajuda;

test('a driver’s call for help is shown to operators until one ends it', async () => {
  const { driverId, phone } = await newDevice(malote);
  const delivery = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: driverId }));
  const body = { id_mch: delivery.id, texto: '  pneu furado ' };
  const { id } = assertOk(await phone.post(`/condutores/${driverId}/ajuda`, body)).body.data;
  assert.deepEqual(await asked(), [
    {
      id,
      condutor: { id: String(driverId), nome: 'Condutor de teste' },
      id_mch: String(delivery.id),
      texto: 'pneu furado',
      em: clock.now().toString({ smallestUnit: 'second', roundingMode: 'trunc' }),
    },
  ]);
  for (const who of [loginAs('gerente'), loginAs('vizinha', 'demo-vizinha')])
    assert.deepEqual(await asked(who), []);
  const [event] = await db<{ payload: Json; sequence: number }>`
    select payload, sequence from events where central_id = 1 and type = 'driver.help'`;
  assert.deepEqual(event, {
    payload: { driverId, driverName: 'Condutor de teste', deliveryId: delivery.id },
    sequence: 1,
  });
  const ended = assertOk(await operator.delete(`/condutores/${driverId}/ajuda`)).body.data;
  assert.deepEqual(ended, { encerrados: 1 });
  assert.deepEqual(await asked(), []);
});

test('five wait at most, the newest ones, and no longer than three days', async () => {
  const { driverId, phone } = await newDevice(malote);
  for (let count = 1; count <= 6; count += 1) {
    clock.advance({ seconds: 1 });
    assertOk(await phone.post(`/condutores/${driverId}/ajuda`, { texto: `pedido ${count}` }));
  }
  assert.deepEqual(
    (await asked()).map(({ texto }) => texto),
    ['pedido 2', 'pedido 3', 'pedido 4', 'pedido 5', 'pedido 6'],
  );
  clock.advance({ hours: 73 });
  await tidyUp({ db, clock });
  assert.deepEqual(await asked(), []);
});

test('a driver asks for itself and about what it carries; only operators end a request', async () => {
  const { driverId, phone } = await newDevice(malote);
  const path = `/condutores/${driverId}/ajuda`;
  const foreign = await openDelivery(malote);
  assertRefused(await phone.post(path, { texto: 'x', id_mch: foreign.id }), 404, /entrega não encontrada/);
  assertRefused(await phone.post('/condutores/1/ajuda', { texto: 'x' }), 404, /entregador não encontrado/);
  for (const body of [{}, { texto: ' ' }, { texto: 'x'.repeat(301) }])
    assert.equal((await phone.post(path, body)).status, 400);
  assertRefused(await phone.delete(path), 403, /permissão/);
  assertRefused(await loginAs('gerente').post(path, { texto: 'x' }), 403, /permissão/);
  const absent = await operator.delete('/condutores/77777777/ajuda');
  assertRefused(absent, 404, /entregador não encontrado/);
  assert.equal((await loginAs('vizinha', 'demo-vizinha').delete(path)).text, absent.text);
});

test('a change of duty is an event, and the same again is none', async () => {
  const { driverId, phone } = await newDevice(malote);
  for (const disponivel of [true, false, false, true])
    assertOk(await phone.post(`/condutores/${driverId}/disponibilidade`, { disponivel }));
  const events = await db<{ sequence: number; available: boolean }>`
    select sequence, (payload ->> 'available')::boolean as available from events
    where central_id = 1 and type = 'driver.availability' and payload ->> 'driverId' = ${String(driverId)}
    order by sequence`;
  assert.deepEqual(events, [
    { sequence: 1, available: false },
    { sequence: 2, available: true },
  ]);
});
