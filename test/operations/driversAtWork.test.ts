import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, type Json } from '../support/client.ts';
import { newDevice } from '../support/device.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, deliveryIn, newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator } = malote;
const manager = client(`${malote.url}/api/v2/operacao`, {
  key: 'demo-chave',
  user: 'gerente',
  password: 'demo',
});
const manager2 = client(`${malote.url}/api/v2/operacao`, {
  key: 'demo-chave',
  user: 'gerente2',
  password: 'demo',
});
const atWork = async (who = operator): Promise<Json[]> =>
  assertOk(await who.get('/condutores/posicoes')).body.data;
const find = async (id: number, who = operator): Promise<Json> =>
  (await atWork(who)).find(({ condutor_id }) => condutor_id === String(id));

test('an available driver is shown where it was last seen, with nothing in its hands', async () => {
  const id = await newDriver(malote, { lat: -30.03, lng: -51.22 });
  assert.deepEqual(await find(id), {
    condutor_id: String(id),
    nome: 'Condutor de teste',
    veiculo: 'Honda CG',
    placa: 'IAA0A00',
    disponivel: true,
    simulado: false,
    categorias: [],
    posicao: { lat: -30.03, lng: -51.22, em: '2026-11-16T15:00:00Z' },
    entregas: [],
    telefone: '51988880000',
    livre_em: null,
    paradas_a_visitar: 0,
    proxima: null,
    aparelho: null,
  });
});

test('where a driver goes next, until when it has work, and with which phone: for the central only', async () => {
  const { driverId, phone } = await newDevice(malote);
  const delivery = await openDelivery(malote, {}, 2);
  assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: driverId }));
  const posicoes = [{ lat: -30.0305, lng: -51.2303, em: malote.clock.now().toString() }];
  assertOk(await phone.post('/condutores/posicoes', { posicoes, bateria: 41, versao: '1.2.0' }));
  const toPickup = await find(driverId);
  assert.equal(toPickup.paradas_a_visitar, toPickup.proxima.paradas_restantes);
  assert.deepEqual(toPickup.proxima, {
    id_mch: String(delivery.id),
    status: 'A',
    endereco: 'Rua dos Andradas, 1001',
    previsao: null,
    paradas_restantes: 2,
  });
  const { bateria, versao } = toPickup.aparelho;
  assert.deepEqual([bateria, versao], [41, '1.2.0']);
  assertOk(await phone.post(`/entregas/${delivery.id}/iniciar`, {}));
  const started = await find(driverId);
  assert.equal(started.proxima.endereco, 'Avenida Ipiranga, 1');
  assert.ok(started.proxima.previsao < started.livre_em && started.livre_em < toPickup.livre_em);
  const seen = await find(driverId, manager);
  assert.deepEqual([seen.proxima, seen.livre_em, seen.aparelho, seen.telefone], [null, null, null, null]);
});

test('a driver never seen has no position, and one off duty disappears after a while', async () => {
  const id = await newDriver(malote);
  assert.equal((await find(id)).posicao, null);
  const home = await newDriver(malote, { lat: -30.03, lng: -51.22 });
  assertOk(await operator.post(`/condutores/${home}/disponibilidade`, { disponivel: false }));
  assert.equal((await find(home)).disponivel, false);
  malote.clock.advance({ hours: 13 });
  assert.equal(await find(home), undefined);
});

test('a driver’s deliveries are listed, the current one first', async () => {
  const next = await deliveryIn(malote, 'on_hold');
  const driver = await find(next.driverId!);
  assert.equal(driver.entregas.length, 2);
  assert.equal(driver.entregas[1], String(next.id));
});

test('a company sees the drivers who carry something of it, and nobody else', async () => {
  const mine = await deliveryIn(malote, 'in_progress');
  const free = await newDriver(malote, { lat: -30.03, lng: -51.22 });
  assert.deepEqual((await find(mine.driverId!, manager)).entregas, [String(mine.id)]);
  assert.equal(await find(free, manager), undefined);
  assert.deepEqual(await atWork(manager2), []);
});
