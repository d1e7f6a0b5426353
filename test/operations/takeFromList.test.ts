import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { pickup } from '../support/orders.ts';
import { changeRecord } from '../support/registers.ts';
import { allOf, assertOk, assertRefused, countStatuses, openDelivery } from '../support/steps.ts';

// A driver accepts offers. Accepting from an open list is a setting of the central, with limits.
const malote = await startMalote();
const { operator } = malote;
const joao = malote.driver(1);

const open = async (changes: Record<string, unknown> = {}) => (await openDelivery(malote, changes)).id;
const take = (id: number) => joao.post(`/entregas/${id}/aceitar`);
const near = { lat: Number(pickup.lat) + 0.001, lng: Number(pickup.lng) };
const onDuty = async (disponivel: boolean) =>
  assertOk(await joao.post('/condutores/1/disponibilidade', { disponivel }));
const standAt = async (place: { lat: number; lng: number }) =>
  assertOk(await joao.post('/condutores/1/posicao', place));

beforeEach(async () => {
  const carried = await malote.db<{ id: number }>`
    select id from deliveries where central_id = 1 and driver_id = 1
      and status in ('accepted', 'on_hold', 'in_progress')`;
  for (const { id } of carried)
    assertOk(await malote.central.post(`/entregas/${id}/cancelar`, { motivo_id: 6 }));
  await malote.configure({ takeFromList: true, takeMetresMax: 5_000, takeWaitingMax: 2 });
  await onDuty(true);
  await standAt(near);
});

test('off by default: what was not offered to a driver is the same as none, whatever its state', async () => {
  await malote.configure({ takeFromList: false });
  const settings = assertOk(await operator.get('/configuracoes')).body.data;
  assert.equal(settings.permite_pegar_da_lista, false);
  const waiting = await open();
  const offered = await open();
  assertOk(await operator.post(`/entregas/${offered}/atribuir`, { condutor_id: 2 }));
  const taken = await open();
  assertOk(await operator.post(`/entregas/${taken}/aceitar`, { condutor_id: 2 }));
  const absent = await take(999_999);
  for (const id of [waiting, offered, taken]) {
    const before = await allOf(malote, id);
    for (const step of ['aceitar', 'recusar', 'chegar', 'iniciar', 'finalizar', 'desistir']) {
      const answer = await joao.post(`/entregas/${id}/${step}`);
      assertRefused(answer, 404, /entrega não encontrada/);
      assert.equal(answer.text, absent.text, 'it cannot be told from none');
    }
    assert.deepEqual(await allOf(malote, id), before);
  }
  assertOk(await malote.central.post(`/entregas/${taken}/cancelar`, { motivo_id: 6 }));
});

test('trying every id brings a driver nothing that was not offered to it', async () => {
  await malote.configure({ takeFromList: false });
  const ids: number[] = [];
  for (let count = 0; count < 12; count += 1) ids.push(await open());
  assertOk(await operator.post(`/entregas/${ids[5]}/atribuir`, { condutor_id: 1 }));
  const answers = await Promise.all(ids.map(take));
  assert.deepEqual(countStatuses(answers), { 200: 1, 404: 11 });
  assert.equal(answers[5]!.status, 200);
});

test('a refused offer is not open any more, list or no list, while another driver is asked', async () => {
  for (const takeFromList of [false, true]) {
    await malote.configure({ takeFromList });
    const id = await open();
    assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 1 }));
    assertOk(await joao.post(`/entregas/${id}/recusar`));
    if (!takeFromList) assertRefused(await take(id), 406, /não está mais oferecida/);
    assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 2 }));
    assertRefused(await take(id), 406, /não está mais oferecida/);
  }
});

test('where the central allows it, a driver on duty takes what is being distributed', async () => {
  const id = await open();
  assert.equal(assertOk(await take(id)).body.data.status, 'A');
});

test('off duty it takes nothing from the list', async () => {
  const id = await open();
  await onDuty(false);
  assertRefused(await take(id), 406, /fora de serviço/);
});

test('a delivery that needs another vehicle, awaits release or is over is not on the list', async (t) => {
  const other = await open({ categoria_id: 2 });
  const { categorias } = assertOk(await malote.operator.get('/condutores/1')).body.data;
  const others = categorias.filter((categoryId: string) => categoryId !== '2');
  await changeRecord(t, malote.operator, '/condutores/1', { categorias: others });
  const over = await open();
  assertOk(await malote.central.post(`/entregas/${over}/cancelar`, { motivo_id: 6 }));
  for (const id of [other, over]) assertRefused(await take(id), 404, /entrega não encontrada/);
});

test('a pickup beyond the limit, or a position that is too old, is refused', async () => {
  const id = await open();
  await standAt({ lat: near.lat + 0.05, lng: near.lng });
  assertRefused(await take(id), 422, /longe demais/);
  await standAt(near);
  malote.clock.advance({ minutes: 31 });
  assertRefused(await take(id), 422, /longe demais/);
  await standAt(near);
  assertOk(await take(id));
});

test('so many may wait for a driver and no more, also when all are taken at once', async () => {
  const ids: number[] = [];
  for (let count = 0; count < 8; count += 1) ids.push(await open());
  const answers = await Promise.all(ids.map(take));
  assert.deepEqual(countStatuses(answers), { 200: 3, 409: 5 });
  const statuses: string[] = answers
    .filter(({ status }) => status === 200)
    .map(({ body }) => body.data.status);
  assert.deepEqual(statuses.toSorted(), ['A', 'S', 'S']);
  for (const answer of answers.filter(({ status }) => status === 409))
    assertRefused(answer, 409, /máximo de entregas em espera/);
});

test('with 0 only a driver who carries nothing takes; an offer and an operator are not bound by the limit', async () => {
  await malote.configure({ takeWaitingMax: 0 });
  const [first, second, third] = [await open(), await open(), await open()];
  assertOk(await take(first));
  assertRefused(await take(second), 409, /máximo de entregas em espera/);
  assertOk(await operator.post(`/entregas/${second}/atribuir`, { condutor_id: 1 }));
  assert.equal(assertOk(await take(second)).body.data.status, 'S');
  assertOk(await operator.post(`/entregas/${third}/aceitar`, { condutor_id: 1 }));
});

test('a delivery that another driver took first is answered as taken', async () => {
  const id = await open();
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: 2 }));
  assertRefused(await take(id), 409, /já foi aceita por outro entregador/);
  assertOk(await malote.central.post(`/entregas/${id}/cancelar`, { motivo_id: 6 }));
});
